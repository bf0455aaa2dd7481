/* An ordinary program: transposes a matrix by MPI_Alltoall, and knows nothing of schedules. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, at, wrong = 0, round, *row, *column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    row = malloc((size_t)size * sizeof *row);
    column = malloc((size_t)size * sizeof *column);
    for (round = 0; round < 3; round++) {
        for (at = 0; at < size; at++) row[at] = 1000 * rank + at + round;
        MPI_Alltoall(row, 1, MPI_INT, column, 1, MPI_INT, MPI_COMM_WORLD);
        for (at = 0; at < size; at++) wrong += column[at] != 1000 * at + rank + round;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("transposed on %d ranks: %d wrong\n", size, wrong);
    free(row), free(column);
    MPI_Finalize();
    return wrong != 0;
}
