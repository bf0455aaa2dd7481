/* What the program in Rust calls: the engine on MPI_COMM_WORLD, and the library's own collectives. Errors are fatal to all ranks there. */
#include "quadrille_engine.h"

/* In the order of `ElementChoice` of the command line. */
static MPI_Datatype type_of(int element) {
    MPI_Datatype types[] = {MPI_INT8_T, MPI_UINT8_T, MPI_INT32_T, MPI_UINT32_T, MPI_INT64_T, MPI_UINT64_T, MPI_FLOAT, MPI_DOUBLE};
    return types[element];
}

quadrille_run *quadrille_world_new(const quadrille_table *table, const void *send, void *recv, int count, int element) {
    quadrille_run *run = (quadrille_run *)malloc(sizeof *run);
    if (run != NULL && quadrille_run_init(run, table, send, recv, count, type_of(element), MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS) {
        free(run);
        run = NULL;
    }
    return run;
}

int quadrille_world_start(quadrille_run *run) { return quadrille_run_start(run); }

/* Goes on as far as it can; the operations that are left. */
int quadrille_world_test(quadrille_run *run, int *open) {
    int done;
    QUADRILLE_TRY(quadrille_run_test(run, &done));
    *open = run->open;
    return MPI_SUCCESS;
}

void quadrille_world_free(quadrille_run *run) {
    quadrille_run_free(run);
    free(run);
}

/* In the order of `program::Shape`. */
int quadrille_world_library(int shape, const void *send, void *recv, int count, int element, int root) {
    MPI_Datatype type = type_of(element);
    MPI_Comm world = MPI_COMM_WORLD;
    int rank;
    QUADRILLE_TRY(MPI_Comm_rank(world, &rank));
    switch (shape) {
    case 0:
        /* The root of a schedule has its vector in the output as well, so here too. */
        if (rank == root) {
            int size;
            QUADRILLE_TRY(MPI_Type_size(type, &size));
            memcpy(recv, send, (size_t)count * (size_t)size);
        }
        return MPI_Bcast(recv, count, type, root, world);
    case 1: return MPI_Scatter(send, count, type, recv, count, type, root, world);
    case 2: return MPI_Gather(send, count, type, recv, count, type, root, world);
    case 3: return MPI_Allgather(send, count, type, recv, count, type, world);
    case 4: return MPI_Alltoall(send, count, type, recv, count, type, world);
    case 5: return MPI_Reduce(send, recv, count, type, MPI_SUM, root, world);
    case 6: return MPI_Allreduce(send, recv, count, type, MPI_SUM, world);
    case 7: return MPI_Reduce_scatter_block(send, recv, count, type, MPI_SUM, world);
    case 8: return MPI_Scan(send, recv, count, type, MPI_SUM, world);
    case 9: return MPI_Exscan(send, recv, count, type, MPI_SUM, world);
    default: return MPI_ERR_OP;
    }
}
