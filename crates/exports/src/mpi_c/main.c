#ifdef QUADRILLE_MAIN
#include <stdio.h>

/* What a rank contributes at one element of a place of its input: small, so that no sum overflows. */
static int quadrille_value(int rank, int place, int element) {
    unsigned mixed = (unsigned)rank * 2654435761u + (unsigned)place * 2246822519u + (unsigned)element * 3266489917u;
    mixed = (mixed ^ (mixed >> 15)) * 2246822519u;
    return (int)(mixed >> 17);
}

/* Elements of an output that are not what the collective says. */
static long quadrille_wrong(const quadrille_run *run, int rank) {
    int place, element, first = quadrille_outputs[rank];
    long wrong = 0;
    for (place = 0; place < run->table.output; place++) {
        int entry = first + place, begin = entry ? quadrille_source_ends[entry - 1] : 0, end = quadrille_source_ends[entry];
        const int *held = (const int *)(void *)quadrille_at(run, 3 * place + 1);
        for (element = 0; element < quadrille_length(run, 3 * place) && begin < end; element++) {
            int right = 0, source, from;
            for (source = begin; source < end; source++) {
                const int *of = quadrille_sources + 3 * (size_t)source;
                for (from = of[0]; from < of[0] + of[1]; from++) right += quadrille_value(from, of[2], element);
            }
            wrong += held[element] != right;
        }
    }
    return wrong;
}

static int quadrille_compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(int argc, char **argv) {
    int count = 1024, iterations = 20, rank, size, place, element, iteration;
    int error = MPI_Init(&argc, &argv);
    quadrille_table table;
    quadrille_run run;
    int *send, *recv;
    double *times;
    long wrong;
    if (error != MPI_SUCCESS) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) iterations = atoi(argv[2]);
    if (size != QUADRILLE_RANKS || count < 1 || iterations < 1) {
        if (rank == 0)
            fprintf(stderr, "error: %d ranks instead of %d, or an argument below 1\nhint: mpirun -n %d %s [ELEMENTS [ITERATIONS]]\n",
                    size, QUADRILLE_RANKS, QUADRILLE_RANKS, argv[0]);
        MPI_Finalize();
        return 2;
    }
    quadrille_table_of(rank, &table);
    send = (int *)malloc((size_t)table.input * (size_t)count * sizeof(int) + 1);
    recv = (int *)malloc((size_t)table.output * (size_t)count * sizeof(int) + 1);
    times = (double *)malloc((size_t)iterations * sizeof *times);
    if (send == NULL || recv == NULL || times == NULL) {
        fprintf(stderr, "error: no memory for %d elements a message\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    memset(recv, 255, (size_t)table.output * (size_t)count * sizeof(int));
    error = quadrille_run_init(&run, &table, send, recv, count, MPI_INT, QUADRILLE_OP, MPI_COMM_WORLD);
    for (place = 0; error == MPI_SUCCESS && place < table.input; place++)
        for (element = 0; element < quadrille_length(&run, 3 * place); element++)
            ((int *)(void *)quadrille_at(&run, 3 * place))[element] = quadrille_value(rank, place, element);
    for (iteration = 0; error == MPI_SUCCESS && iteration < iterations; iteration++) {
        MPI_Barrier(MPI_COMM_WORLD);
        times[iteration] = MPI_Wtime();
        error = quadrille_run_start(&run);
        if (error == MPI_SUCCESS) error = quadrille_run_wait(&run);
        times[iteration] = MPI_Wtime() - times[iteration];
    }
    if (error != MPI_SUCCESS) {
        fprintf(stderr, "error: rank %d: MPI error %d\n", rank, error);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    wrong = quadrille_wrong(&run, rank);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, times, iterations, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    qsort(times, (size_t)iterations, sizeof *times, quadrille_compare);
    if (rank == 0) {
        printf("%s: %d ranks, %d elements per message, %d iterations\n", QUADRILLE_WHAT, size, count, iterations);
        printf("  slowest rank: median %.1f us, min %.1f us, max %.1f us\n", 1e6 * times[iterations / 2], 1e6 * times[0],
               1e6 * times[iterations - 1]);
        if (wrong) printf("  data: %ld elements are wrong\n", wrong);
        else printf("  data: correct on every rank\n");
    }
    quadrille_run_free(&run);
    free(send), free(recv), free(times);
    MPI_Finalize();
    return wrong != 0;
}
#endif
