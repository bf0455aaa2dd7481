/* Runs schedules of libquadrille over MPI: plain calls of MPI 3, nothing to link but libquadrille and MPI.
 *
 * Persistent: quadrille_mpi_init once, then quadrille_run_start with quadrille_run_test or quadrille_run_wait as often as wanted, then
 * quadrille_run_free (quadrille_engine.h). At once: quadrille_alltoall and the like. All return MPI_SUCCESS or an error class of MPI; the first call on a
 * communicator is collective over all of it. A schedule has its own root, and MPI_Ops have to be commutative. */
#ifndef QUADRILLE_MPI_H
#define QUADRILLE_MPI_H

#include "quadrille.h"
#include "quadrille_engine.h"

/* Prepares a schedule for these buffers, which stay where they are; messages are `count` elements. */
static inline int quadrille_mpi_init(const quadrille_schedule *schedule, const void *send, void *recv, int count, MPI_Datatype type,
                                     MPI_Op op, MPI_Comm comm, quadrille_run *run) {
    quadrille_table table;
    int rank, size;
    QUADRILLE_TRY(MPI_Comm_rank(comm, &rank));
    QUADRILLE_TRY(MPI_Comm_size(comm, &size));
    if (size != quadrille_ranks(schedule)) return MPI_ERR_COMM;
    if (quadrille_rank(schedule, rank, &table) != 0) return MPI_ERR_ARG;
    return quadrille_run_init(run, &table, send, recv, count, type, quadrille_reduces(schedule) == 1 ? op : MPI_OP_NULL, comm);
}

/* Runs a schedule at once, if it is of this shape. */
static inline int quadrille_mpi_run(const quadrille_schedule *schedule, quadrille_shape shape, const void *send, void *recv, int count,
                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    quadrille_run run;
    int error, freed;
    if (quadrille_shape_of(schedule) != shape) return MPI_ERR_ARG;
    QUADRILLE_TRY(quadrille_mpi_init(schedule, send, recv, count, type, op, comm, &run));
    error = quadrille_run_start(&run);
    if (error == MPI_SUCCESS) error = quadrille_run_wait(&run);
    freed = quadrille_run_free(&run);
    return error == MPI_SUCCESS ? freed : error;
}

static inline int quadrille_broadcast(void *buffer, int count, MPI_Datatype type, MPI_Comm comm, const quadrille_schedule *schedule) {
    return quadrille_mpi_run(schedule, QUADRILLE_BROADCAST, buffer, buffer, count, type, MPI_OP_NULL, comm);
}

/* Collectives that copy: name, shape. */
#define QUADRILLE_COPIES(name, shape)                                                                               \
    static inline int quadrille_##name(const void *send, int count, MPI_Datatype type, void *recv, MPI_Comm comm,   \
                                       const quadrille_schedule *schedule) {                                       \
        return quadrille_mpi_run(schedule, shape, send, recv, count, type, MPI_OP_NULL, comm);                      \
    }

QUADRILLE_COPIES(scatter, QUADRILLE_SCATTER)
QUADRILLE_COPIES(gather, QUADRILLE_GATHER)
QUADRILLE_COPIES(allgather, QUADRILLE_ALLGATHER)
QUADRILLE_COPIES(alltoall, QUADRILLE_ALLTOALL)

/* Collectives that merge: name, shape. */
#define QUADRILLE_MERGES(name, shape)                                                                                         \
    static inline int quadrille_##name(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,  \
                                       const quadrille_schedule *schedule) {                                                 \
        return quadrille_mpi_run(schedule, shape, send, recv, count, type, op, comm);                                         \
    }

QUADRILLE_MERGES(reduce, QUADRILLE_REDUCE)
QUADRILLE_MERGES(allreduce, QUADRILLE_ALLREDUCE)
QUADRILLE_MERGES(reduce_scatter, QUADRILLE_REDUCE_SCATTER)
QUADRILLE_MERGES(scan, QUADRILLE_SCAN)
QUADRILLE_MERGES(exscan, QUADRILLE_EXSCAN)

#endif
