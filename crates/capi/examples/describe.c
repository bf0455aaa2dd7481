/* What a rank does, from a schedule file; needs no MPI: cc describe.c -lquadrille -o describe && ./describe schedule.json 0 */
#include <quadrille.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    static const char *const kinds[] = {"send to", "receive from", "copy", "merge"};
    static const char *const buffers[] = {"in", "out", "scratch"};
    quadrille_schedule *schedule = quadrille_load(argc > 1 ? argv[1] : NULL);
    int rank = argc > 2 ? atoi(argv[2]) : 0, operation, at;
    quadrille_table table;
    if (schedule == NULL || quadrille_rank(schedule, rank, &table) != 0) {
        fprintf(stderr, "error: %s\n", quadrille_error());
        quadrille_free(schedule);
        return 2;
    }
    printf("%s on %s: %d ranks, root %d\n", quadrille_collective(schedule), quadrille_network(schedule), quadrille_ranks(schedule),
           quadrille_root(schedule));
    printf("rank %d: %d places in, %d out, %d scratch\n", rank, table.input, table.output, table.scratch);
    for (operation = 0; operation < table.operations; operation++) {
        quadrille_operation found;
        if (quadrille_operation_of(schedule, rank, operation, &found) != 0) return 1;
        printf("%4d  %s", operation, kinds[found.kind]);
        if (found.kind < 2) printf(" %d", found.peer);
        for (at = 0; at < found.place_count; at++) printf(" %s[%d]", buffers[found.places[at] % 3], found.places[at] / 3);
        for (at = 0; at < found.after_count; at++) printf("%s %d", at ? "," : "  after", found.after[at]);
        printf("\n");
    }
    quadrille_free(schedule);
    return 0;
}
