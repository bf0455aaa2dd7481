/* One call after the other, by each of the files that are named: the same as MPI's own, also in place, and only the first of equal calls
   prepares requests. */
#include <quadrille_mpi.h>
#include <stdio.h>

static int prepared;

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    prepared++;
    return PMPI_Send_init(buffer, count, type, to, tag, comm, request);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    prepared++;
    return PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
}

enum { COUNT = 7, MOST = 16 * COUNT };

static int library(quadrille_shape shape, const void *send, void *recv, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    switch (shape) {
    case QUADRILLE_BROADCAST: return MPI_Bcast(recv, COUNT, type, root, comm);
    case QUADRILLE_SCATTER: return MPI_Scatter(send, COUNT, type, recv, COUNT, type, root, comm);
    case QUADRILLE_GATHER: return MPI_Gather(send, COUNT, type, recv, COUNT, type, root, comm);
    case QUADRILLE_ALLGATHER: return MPI_Allgather(send, COUNT, type, recv, COUNT, type, comm);
    case QUADRILLE_ALLTOALL: return MPI_Alltoall(send, COUNT, type, recv, COUNT, type, comm);
    case QUADRILLE_REDUCE: return MPI_Reduce(send, recv, COUNT, type, op, root, comm);
    case QUADRILLE_ALLREDUCE: return MPI_Allreduce(send, recv, COUNT, type, op, comm);
    case QUADRILLE_REDUCE_SCATTER: return MPI_Reduce_scatter_block(send, recv, COUNT, type, op, comm);
    case QUADRILLE_SCAN: return MPI_Scan(send, recv, COUNT, type, op, comm);
    case QUADRILLE_EXSCAN: return MPI_Exscan(send, recv, COUNT, type, op, comm);
    default: return MPI_ERR_OP;
    }
}

/* Whether a rank ends with another result than MPI's own; rank 0 of exscan, and all but the root, have none. */
static int differs(quadrille_schedule *schedule, int in_place, int round, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    static int send[MOST], mine[MOST], theirs[MOST];
    quadrille_shape shape = quadrille_shape_of(schedule);
    int rank, root = quadrille_root(schedule), at, scatters = shape == QUADRILLE_SCATTER, rooted, placed, error;
    MPI_Comm_rank(comm, &rank);
    rooted = scatters || shape == QUADRILLE_GATHER || shape == QUADRILLE_REDUCE;
    placed = in_place && shape != QUADRILLE_BROADCAST && (!rooted || rank == root);
    for (at = 0; at < MOST; at++) {
        send[at] = 1000 * rank + 10 * at + round;
        mine[at] = theirs[at] = placed || shape == QUADRILLE_BROADCAST ? send[at] : -1;
    }
    error = quadrille_mpi_run(schedule, shape, shape == QUADRILLE_BROADCAST ? mine : placed && !scatters ? MPI_IN_PLACE : (void *)send,
                              placed && scatters ? MPI_IN_PLACE : (void *)mine, COUNT, type, op, comm);
    if (error == MPI_SUCCESS)
        error = library(shape, placed && !scatters ? MPI_IN_PLACE : (void *)send, placed && scatters ? MPI_IN_PLACE : (void *)theirs, type,
                        op, root, comm);
    if (error != MPI_SUCCESS || (shape == QUADRILLE_EXSCAN && rank == 0) || (rooted && !scatters && rank != root)) return error;
    /* Of the rest of the buffer nothing is said in place. */
    return memcmp(mine, theirs, placed && shape == QUADRILLE_REDUCE_SCATTER ? COUNT * sizeof(int) : sizeof mine) != 0;
}

/* Whether something was wrong with the schedule of a file, which rank 0 tells. */
static int tried(const char *file) {
    quadrille_schedule *schedule;
    MPI_Datatype derived;
    MPI_Comm comm;
    int rank, round, wrong = 0, first[2], again = 0, all[2], reduces, kept;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    schedule = quadrille_load(file);
    if (schedule == NULL) MPI_Abort(comm, 2);
    reduces = quadrille_reduces(schedule);
    for (round = 0; round < 6; round++) {
        int before = prepared;
        wrong |= differs(schedule, round & 1, round, MPI_INT, reduces ? MPI_SUM : MPI_OP_NULL, comm);
        if (round < 2) first[round] = prepared - before;
        else again += prepared - before;
    }
    /* Another schedule that lies where this one lay is another one. */
    quadrille_free(schedule);
    schedule = quadrille_load(file);
    kept = prepared;
    wrong |= differs(schedule, 0, 9, MPI_INT, reduces ? MPI_SUM : MPI_OP_NULL, comm);
    if (first[0] > 0 && prepared == kept) wrong = 1;
    /* What the program may free is not kept. */
    MPI_Type_contiguous(1, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    kept = prepared;
    if (!reduces) {
        wrong |= differs(schedule, 0, 10, derived, MPI_OP_NULL, comm) | differs(schedule, 0, 11, derived, MPI_OP_NULL, comm);
        if (prepared - kept != 2 * first[0]) wrong = 1;
    }
    MPI_Type_free(&derived);
    quadrille_free(schedule);
    MPI_Comm_free(&comm);
    all[0] = wrong, all[1] = again;
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("%s: %s, prepared again: %d\n", file, all[0] ? "wrong" : "right", all[1]);
    return all[0];
}

int main(int argc, char **argv) {
    int at, wrong = 0;
    MPI_Init(&argc, &argv);
    for (at = 1; at < argc; at++) wrong |= tried(argv[at]);
    MPI_Finalize();
    return wrong;
}
