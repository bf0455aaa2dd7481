/* libquadrille: schedules of collective communications, verified when they are loaded, as what every rank does. Made by cbindgen: `cargo test -p quadrille-capi` tells how to make it anew. */

#ifndef QUADRILLE_H
#define QUADRILLE_H

/*
 How the buffers of a collective lie: as those of the MPI call of the same name.
 */
typedef enum quadrille_shape {
  /*
   MPI_Bcast; the root has the vector in its input and, in the end, in its output
   */
  QUADRILLE_BROADCAST,
  /*
   MPI_Scatter
   */
  QUADRILLE_SCATTER,
  /*
   MPI_Gather
   */
  QUADRILLE_GATHER,
  /*
   MPI_Allgather
   */
  QUADRILLE_ALLGATHER,
  /*
   MPI_Alltoall
   */
  QUADRILLE_ALLTOALL,
  /*
   MPI_Reduce
   */
  QUADRILLE_REDUCE,
  /*
   MPI_Allreduce
   */
  QUADRILLE_ALLREDUCE,
  /*
   MPI_Reduce_scatter_block
   */
  QUADRILLE_REDUCE_SCATTER,
  /*
   MPI_Scan
   */
  QUADRILLE_SCAN,
  /*
   MPI_Exscan
   */
  QUADRILLE_EXSCAN,
  /*
   Another collective, or one of some of the ranks: one message after the other
   */
  QUADRILLE_LISTED,
} quadrille_shape;

/*
 A schedule that was verified when it was loaded. Any number of threads may ask about it at once.
 */
typedef struct quadrille_schedule quadrille_schedule;

/*
 What one rank does. The numbers are the schedule's and live as long as it.
 */
typedef struct quadrille_table {
  /*
   Parts of a message: each place holds one part
   */
  int chunks;
  /*
   Places of the input: blocks of `chunks` places, a message each
   */
  int input;
  /*
   Places of the output
   */
  int output;
  /*
   Places of the scratch
   */
  int scratch;
  /*
   Number of operations
   */
  int operations;
  /*
   Five numbers an operation: kind, peer, tag, end of its places, end of what it waits for
   */
  const int *rows;
  /*
   Places of all operations: 3 * index + buffer, which is 0 for the input, 1 for the output and 2 for the scratch
   */
  const int *places;
  /*
   The operations that each operation waits for, by their numbers
   */
  const int *after;
} quadrille_table;

/*
 One operation of a rank.
 */
typedef struct quadrille_operation {
  /*
   0 sends, 1 receives, 2 copies from the first place to the second, 3 merges all places but the last into the last
   */
  int kind;
  /*
   The other rank of a send or receive
   */
  int peer;
  /*
   Tells it from others between the same two ranks
   */
  int tag;
  /*
   Number of places
   */
  int place_count;
  /*
   The places, in the order in which they are sent
   */
  const int *places;
  /*
   Number of operations that have to be done before
   */
  int after_count;
  /*
   Those operations
   */
  const int *after;
} quadrille_operation;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Reads a schedule file (.json or .json.gz; of steps, of orbits, or in time) and verifies it. Null where that fails. The caller frees it.

 # Safety
 `file` is null or a string that ends in a zero.
 */
struct quadrille_schedule *quadrille_load(const char *file);

/*
 Why the last call on this thread failed; valid until the next one fails.
 */
const char *quadrille_error(void);

/*
 Frees a schedule, and all tables it gave; null is nothing.

 # Safety
 `schedule` is null or was loaded and is not freed yet.
 */
void quadrille_free(struct quadrille_schedule *schedule);

/*
 Number of ranks: the terminals of the network, in the order of their numbers. −1 where that fails.
 */
int quadrille_ranks(const struct quadrille_schedule *schedule);

/*
 A number that no other schedule of this process has, or had; 0 where that fails.
 */
unsigned long long quadrille_number(const struct quadrille_schedule *schedule);

/*
 How its buffers lie.
 */
enum quadrille_shape quadrille_shape_of(const struct quadrille_schedule *schedule);

/*
 The rank of its root; −1 where it has none.
 */
int quadrille_root(const struct quadrille_schedule *schedule);

/*
 1 where contributions are merged, 0 where messages are copied, −1 where that fails.
 */
int quadrille_reduces(const struct quadrille_schedule *schedule);

/*
 The name of its collective, or null; it lives as long as the schedule.
 */
const char *quadrille_collective(const struct quadrille_schedule *schedule);

/*
 The name of its network, or null; it lives as long as the schedule.
 */
const char *quadrille_network(const struct quadrille_schedule *schedule);

/*
 What a rank does. 0, or −1 where there is no such rank.

 # Safety
 `table` is null or points to room for one.
 */
int quadrille_rank(const struct quadrille_schedule *schedule, int rank, struct quadrille_table *table);

/*
 One operation of a rank; they stand in an order that works. 0, or −1 where there is none.

 # Safety
 `operation` is null or points to room for one.
 */
int quadrille_operation_of(const struct quadrille_schedule *schedule,
                           int rank,
                           int at,
                           struct quadrille_operation *operation);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUADRILLE_H */
