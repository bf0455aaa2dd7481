/* Runs schedules of libquadrille over MPI: plain calls of MPI 3, nothing to link but libquadrille and MPI.
 *
 * Persistent: quadrille_mpi_init once, then quadrille_run_start with quadrille_run_test or quadrille_run_wait as often as wanted, then
 * quadrille_run_free (quadrille_engine.h). At once: quadrille_alltoall and the like; what was prepared for the last few different calls on a
 * communicator is kept, and freed with it, where type and operator are predefined. All return MPI_SUCCESS or an error class of MPI; the first
 * call on a communicator is collective over all of it. A schedule has its own root, MPI_Ops have to be commutative, and MPI_IN_PLACE means
 * what it means in MPI. */
#ifndef QUADRILLE_MPI_H
#define QUADRILLE_MPI_H

#include "quadrille.h"
#include "quadrille_engine.h"

/* Calls that are kept prepared. */
enum { QUADRILLE_KEPT = 8 };

/* Where the input lies in place; NULL where it has a buffer of its own. */
static inline int quadrille_source(const quadrille_schedule *schedule, int rank, const void *send, const void *recv, int count,
                                   MPI_Datatype type, const void **source) {
    MPI_Aint lower, extent;
    int is_root = rank == quadrille_root(schedule), own = 0;
    *source = NULL;
    if (send != MPI_IN_PLACE && recv != MPI_IN_PLACE) return MPI_SUCCESS;
    switch (quadrille_shape_of(schedule)) {
    case QUADRILLE_SCATTER: return send != MPI_IN_PLACE && is_root ? MPI_SUCCESS : MPI_ERR_BUFFER;
    case QUADRILLE_GATHER:
        if (!is_root) return MPI_ERR_BUFFER;
        own = rank;
        break;
    case QUADRILLE_REDUCE:
        if (!is_root) return MPI_ERR_BUFFER;
        break;
    case QUADRILLE_ALLGATHER: own = rank; break;
    case QUADRILLE_ALLTOALL:
    case QUADRILLE_ALLREDUCE:
    case QUADRILLE_REDUCE_SCATTER:
    case QUADRILLE_SCAN:
    case QUADRILLE_EXSCAN: break;
    default: return MPI_ERR_BUFFER;
    }
    if (recv == MPI_IN_PLACE) return MPI_ERR_BUFFER;
    QUADRILLE_TRY(MPI_Type_get_extent(type, &lower, &extent));
    *source = (const char *)recv + (MPI_Aint)own * count * extent;
    return MPI_SUCCESS;
}

/* Prepares a schedule for these buffers, which stay where they are; messages are `count` elements. */
static inline int quadrille_mpi_init(const quadrille_schedule *schedule, const void *send, void *recv, int count, MPI_Datatype type,
                                     MPI_Op op, MPI_Comm comm, quadrille_run *run) {
    quadrille_table table;
    const void *source;
    int rank, size;
    QUADRILLE_TRY(MPI_Comm_rank(comm, &rank));
    QUADRILLE_TRY(MPI_Comm_size(comm, &size));
    if (size != quadrille_ranks(schedule)) return MPI_ERR_COMM;
    if (quadrille_rank(schedule, rank, &table) != 0) return MPI_ERR_ARG;
    QUADRILLE_TRY(quadrille_source(schedule, rank, send, recv, count, type, &source));
    return quadrille_run_prepare(run, &table, send, source, recv, count, type,
                                 quadrille_reduces(schedule) == 1 ? op : MPI_OP_NULL, comm);
}

/* A call and what was prepared for it; the schedule of that number may be freed meanwhile. */
typedef struct {
    unsigned long long schedule; /* 0: none */
    unsigned long long used;
    const void *send;
    void *recv;
    int count;
    MPI_Datatype type;
    MPI_Op op;
    quadrille_run run;
} quadrille_kept;

static inline void quadrille_forget(quadrille_kept *kept) {
    if (kept->schedule != 0) quadrille_run_free(&kept->run);
    memset(kept, 0, sizeof *kept);
}

static inline int quadrille_kept_delete(MPI_Comm comm, int key, void *value, void *extra) {
    quadrille_kept *all = (quadrille_kept *)value;
    int at, gone = 0;
    (void)comm, (void)key, (void)extra;
    MPI_Finalized(&gone);
    for (at = 0; at < QUADRILLE_KEPT && !gone; at++) quadrille_forget(&all[at]);
    free(all);
    return MPI_SUCCESS;
}

/* What is kept of calls on a communicator: with the one that quadrille_comm makes, and freed with it. */
static inline int quadrille_kept_of(MPI_Comm comm, quadrille_kept **all) {
    static int key = MPI_KEYVAL_INVALID;
    MPI_Comm own;
    int found;
    QUADRILLE_TRY(quadrille_comm(comm, &own));
    if (key == MPI_KEYVAL_INVALID)
        QUADRILLE_TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, quadrille_kept_delete, &key, NULL));
    QUADRILLE_TRY(MPI_Comm_get_attr(own, key, all, &found));
    if (!found) {
        *all = (quadrille_kept *)calloc(QUADRILLE_KEPT, sizeof **all);
        if (*all == NULL) return MPI_ERR_NO_MEM;
        QUADRILLE_TRY(MPI_Comm_set_attr(own, key, *all));
    }
    return MPI_SUCCESS;
}

/* Whether handles mean the same later: those of derived types and of operators of the program may be freed and given to others. */
static inline int quadrille_lasts(MPI_Datatype type, MPI_Op op) {
    MPI_Op known[] = {MPI_OP_NULL, MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};
    int integers, addresses, types, combiner;
    size_t at;
    if (MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) return 0;
    for (at = 0; at < sizeof known / sizeof *known; at++)
        if (op == known[at]) return combiner == MPI_COMBINER_NAMED;
    return 0;
}

static inline int quadrille_run_now(quadrille_run *run) {
    QUADRILLE_TRY(quadrille_run_start(run));
    return quadrille_run_wait(run);
}

/* Runs a schedule at once, if it is of this shape. */
static inline int quadrille_mpi_run(const quadrille_schedule *schedule, quadrille_shape shape, const void *send, void *recv, int count,
                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    unsigned long long number = quadrille_number(schedule), latest = 0;
    quadrille_kept *all, *kept = NULL, *oldest;
    int error, freed, at;
    if (number == 0 || quadrille_shape_of(schedule) != shape) return MPI_ERR_ARG;
    if (!quadrille_lasts(type, op)) {
        quadrille_run run;
        QUADRILLE_TRY(quadrille_mpi_init(schedule, send, recv, count, type, op, comm, &run));
        error = quadrille_run_now(&run);
        freed = quadrille_run_free(&run);
        return error == MPI_SUCCESS ? freed : error;
    }
    QUADRILLE_TRY(quadrille_kept_of(comm, &all));
    for (oldest = all, at = 0; at < QUADRILLE_KEPT; at++) {
        quadrille_kept *one = &all[at];
        if (one->schedule == number && one->send == send && one->recv == recv && one->count == count && one->type == type && one->op == op)
            kept = one;
        if (one->used < oldest->used) oldest = one;
        if (one->used > latest) latest = one->used;
    }
    if (kept == NULL) {
        kept = oldest;
        quadrille_forget(kept);
        QUADRILLE_TRY(quadrille_mpi_init(schedule, send, recv, count, type, op, comm, &kept->run));
        kept->schedule = number, kept->send = send, kept->recv = recv, kept->count = count, kept->type = type, kept->op = op;
    }
    kept->used = latest + 1;
    error = quadrille_run_now(&kept->run);
    if (error != MPI_SUCCESS) quadrille_forget(kept);
    return error;
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
