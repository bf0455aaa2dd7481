/* An allreduce that is prepared once and started many times, with work between: mpirun -n 8 ./persistent allreduce.json */
#include <quadrille_mpi.h>
#include <stdio.h>

#define ELEMENTS 1000
#define ROUNDS 5

int main(int argc, char **argv) {
    quadrille_schedule *schedule;
    quadrille_run run;
    double send[ELEMENTS], recv[ELEMENTS], once[ELEMENTS];
    int rank, size, round, at, looks = 0, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    schedule = quadrille_load(argc > 1 ? argv[1] : NULL);
    if (schedule == NULL) {
        fprintf(stderr, "error: rank %d: %s\n", rank, quadrille_error());
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    if (quadrille_shape_of(schedule) != QUADRILLE_ALLREDUCE ||
        quadrille_mpi_init(schedule, send, recv, ELEMENTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &run) != MPI_SUCCESS) {
        if (rank == 0) fprintf(stderr, "error: %s is no allreduce of %d ranks\n", argv[1], size);
        MPI_Finalize(); /* all ranks come here, and none ends the others before it is said */
        return 2;
    }
    for (round = 0; round < ROUNDS; round++) {
        int done = 0;
        for (at = 0; at < ELEMENTS; at++) send[at] = rank + round * at;
        quadrille_run_start(&run);
        for (; !done; looks++) quadrille_run_test(&run, &done); /* the program's own work goes here */
        for (at = 0; at < ELEMENTS; at++) wrong += recv[at] != size * (size - 1) / 2.0 + (double)size * round * at;
    }
    quadrille_run_free(&run);
    if (quadrille_allreduce(send, once, ELEMENTS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, schedule) != MPI_SUCCESS) wrong++;
    for (at = 0; at < ELEMENTS; at++) wrong += once[at] != size - 1 + (ROUNDS - 1.0) * at;
    if (quadrille_alltoall(send, 1, MPI_DOUBLE, once, MPI_COMM_WORLD, schedule) != MPI_ERR_ARG) wrong++; /* it is no alltoall */
    quadrille_free(schedule);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d rounds on %d ranks: %d wrong\n", ROUNDS, size, wrong);
    MPI_Finalize();
    return wrong != 0;
}
