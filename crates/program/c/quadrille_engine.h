/* Runs the program of one MPI process: persistent requests, started as soon as what they wait for is done.
 *
 * A program is a table: a row an operation (send, receive, copy, merge) with the places it reads and writes and the operations it waits
 * for. Places are numbered within the input, the output and the scratch of a process; a place holds a chunk of a message. A message is `count`
 * elements and is cut into `chunks` parts that differ by at most one element.
 *
 * Only MPI 3 and C99. Not for several threads at once. Reductions merge in any order, so the MPI_Op has to be commutative. */
#ifndef QUADRILLE_ENGINE_H
#define QUADRILLE_ENGINE_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { QUADRILLE_SEND, QUADRILLE_RECEIVE, QUADRILLE_COPY, QUADRILLE_MERGE };

/* The columns of a row. Places and operations waited for begin where those of the row before end. */
enum { QUADRILLE_KIND, QUADRILLE_PEER, QUADRILLE_TAG, QUADRILLE_PLACES, QUADRILLE_AFTER, QUADRILLE_COLUMNS };

/* libquadrille has the same. */
#ifndef QUADRILLE_H
typedef struct {
    int chunks;                 /* parts of a message */
    int input, output, scratch; /* places of each buffer */
    int operations;
    const int *rows;
    const int *places; /* 3 * index + buffer; a copy has from and to, a merge what it merges and then where */
    const int *after;  /* operations of this process */
} quadrille_table;
#endif

typedef struct {
    quadrille_table table;
    char *base[3];
    void *scratch;
    /* In place: the input as it was at the start, taken from `source`; and an output that nobody asks for. */
    void *copied, *unwanted;
    const char *source;
    size_t copied_bytes;
    int count;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;
    MPI_Aint extent;
    int dense; /* whether elements leave no gaps */
    int *waits, *left; /* what each operation waits for, at first and now */
    int *next, *lists; /* who waits for it: the list of operation i begins at lists[i + 1] and ends where the next one begins */
    int *ready, *active, *finished;
    int first_ready, last_ready, actives, open;
    MPI_Request *requests, *active_requests;
} quadrille_run;

#define QUADRILLE_TRY(call)                              \
    do {                                                 \
        int quadrille_error_ = (call);                   \
        if (quadrille_error_ != MPI_SUCCESS) return quadrille_error_; \
    } while (0)

static inline int quadrille_comm_delete(MPI_Comm comm, int key, void *value, void *extra) {
    MPI_Comm *own = (MPI_Comm *)value;
    int gone = 0, error = MPI_SUCCESS;
    (void)comm, (void)key, (void)extra;
    MPI_Finalized(&gone);
    if (!gone) error = MPI_Comm_free(own);
    free(own);
    return error;
}

/* A communicator of the same processes that nothing else uses, so that no tag meets another's. Made once, by all of them. */
static inline int quadrille_comm(MPI_Comm comm, MPI_Comm *own) {
    static int key = MPI_KEYVAL_INVALID;
    MPI_Comm *kept;
    int found;
    if (key == MPI_KEYVAL_INVALID)
        QUADRILLE_TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, quadrille_comm_delete, &key, NULL));
    QUADRILLE_TRY(MPI_Comm_get_attr(comm, key, &kept, &found));
    if (!found) {
        kept = (MPI_Comm *)malloc(sizeof *kept);
        if (kept == NULL) return MPI_ERR_NO_MEM;
        QUADRILLE_TRY(MPI_Comm_dup(comm, kept));
        QUADRILLE_TRY(MPI_Comm_set_attr(comm, key, kept));
    }
    *own = *kept;
    return MPI_SUCCESS;
}

/* Elements of the message's part that a place holds. */
static inline int quadrille_length(const quadrille_run *run, int place) {
    int part = place / 3 % run->table.chunks;
    return run->count / run->table.chunks + (part < run->count % run->table.chunks);
}

static inline char *quadrille_at(const quadrille_run *run, int place) {
    int index = place / 3, chunks = run->table.chunks, part = index % chunks, longer = run->count % chunks;
    MPI_Aint elements = (MPI_Aint)(index / chunks) * run->count + (MPI_Aint)part * (run->count / chunks);
    elements += part < longer ? part : longer;
    return run->base[place % 3] + elements * run->extent;
}

static inline const int *quadrille_row(const quadrille_run *run, int operation) {
    return run->table.rows + (size_t)operation * QUADRILLE_COLUMNS;
}

/* Where a row's list begins: where that of the row before ends. */
static inline int quadrille_begin(const quadrille_run *run, int operation, int column) {
    return operation ? quadrille_row(run, operation - 1)[column] : 0;
}

static inline int quadrille_copy(const quadrille_run *run, int from, int to) {
    int length = quadrille_length(run, to);
    if (quadrille_at(run, from) == quadrille_at(run, to)) return MPI_SUCCESS; /* a broadcast in place */
    if (run->dense) {
        memcpy(quadrille_at(run, to), quadrille_at(run, from), (size_t)(length * run->extent));
        return MPI_SUCCESS;
    }
    return MPI_Sendrecv(quadrille_at(run, from), length, run->type, 0, 0, quadrille_at(run, to), length, run->type, 0, 0,
                        MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static inline int quadrille_merge(const quadrille_run *run, const int *of, int count, int into) {
    int at, from = 0, in_place = 0;
    for (at = 0; at < count; at++) in_place |= of[at] == into;
    if (!in_place) {
        QUADRILLE_TRY(quadrille_copy(run, of[0], into));
        from = 1;
    }
    for (at = from; at < count; at++)
        if (of[at] != into)
            QUADRILLE_TRY(MPI_Reduce_local(quadrille_at(run, of[at]), quadrille_at(run, into), quadrille_length(run, into),
                                           run->type, run->op));
    return MPI_SUCCESS;
}

/* The persistent request of a send or receive: of one place as it lies, of several by a datatype that holds their addresses. */
static inline int quadrille_request(quadrille_run *run, int operation, const int *places, int count) {
    const int *row = quadrille_row(run, operation);
    MPI_Request *request = &run->requests[operation];
    MPI_Datatype type = run->type;
    void *buffer = quadrille_at(run, places[0]);
    int at, length = quadrille_length(run, places[0]), error;
    if (count > 1) {
        MPI_Aint *where = (MPI_Aint *)malloc((size_t)count * sizeof *where);
        int *lengths = (int *)malloc((size_t)count * sizeof *lengths);
        error = where == NULL || lengths == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
        for (at = 0; at < count && error == MPI_SUCCESS; at++) {
            lengths[at] = quadrille_length(run, places[at]);
            error = MPI_Get_address(quadrille_at(run, places[at]), &where[at]);
        }
        if (error == MPI_SUCCESS) error = MPI_Type_create_hindexed(count, lengths, where, run->type, &type);
        free(where);
        free(lengths);
        QUADRILLE_TRY(error);
        QUADRILLE_TRY(MPI_Type_commit(&type));
        buffer = MPI_BOTTOM;
        length = 1;
    }
    error = row[QUADRILLE_KIND] == QUADRILLE_SEND
                ? MPI_Send_init(buffer, length, type, row[QUADRILLE_PEER], row[QUADRILLE_TAG], run->comm, request)
                : MPI_Recv_init(buffer, length, type, row[QUADRILLE_PEER], row[QUADRILLE_TAG], run->comm, request);
    /* The request keeps what it needs of the datatype. */
    if (count > 1) MPI_Type_free(&type);
    return error;
}

static inline int quadrille_run_free(quadrille_run *run) {
    int operation, error = MPI_SUCCESS;
    for (operation = 0; run->requests != NULL && operation < run->table.operations; operation++)
        if (run->requests[operation] != MPI_REQUEST_NULL) {
            int freed = MPI_Request_free(&run->requests[operation]);
            if (freed != MPI_SUCCESS) error = freed;
        }
    free(run->scratch), free(run->copied), free(run->unwanted), free(run->waits), free(run->left), free(run->next), free(run->lists);
    free(run->ready), free(run->active), free(run->finished), free(run->requests), free(run->active_requests);
    memset(run, 0, sizeof *run);
    return error;
}

static inline int quadrille_run_allocate(quadrille_run *run) {
    size_t operations = (size_t)run->table.operations + 1, bytes;
    int waits = run->table.operations ? quadrille_row(run, run->table.operations - 1)[QUADRILLE_AFTER] : 0, operation;
    bytes = (size_t)((run->table.scratch + run->table.chunks - 1) / run->table.chunks) * (size_t)run->count * (size_t)run->extent;
    run->scratch = malloc(bytes + 1);
    run->waits = (int *)calloc(operations, sizeof(int));
    run->left = (int *)calloc(operations, sizeof(int));
    run->lists = (int *)calloc(operations + 1, sizeof(int));
    run->next = (int *)calloc((size_t)waits + 1, sizeof(int));
    run->ready = (int *)calloc(operations, sizeof(int));
    run->active = (int *)calloc(operations, sizeof(int));
    run->finished = (int *)calloc(operations, sizeof(int));
    run->requests = (MPI_Request *)calloc(operations, sizeof(MPI_Request));
    run->active_requests = (MPI_Request *)calloc(operations, sizeof(MPI_Request));
    for (operation = 0; run->requests != NULL && operation < run->table.operations; operation++)
        run->requests[operation] = MPI_REQUEST_NULL;
    return run->scratch && run->waits && run->left && run->next && run->lists && run->ready && run->active &&
                   run->finished && run->requests && run->active_requests
               ? MPI_SUCCESS
               : MPI_ERR_NO_MEM;
}

/* The lists of who waits for each operation, from the lists of what each waits for. */
static inline void quadrille_run_link(quadrille_run *run) {
    const int *after = run->table.after;
    int operation, at, operations = run->table.operations;
    for (operation = 0; operation < operations; operation++) {
        int begin = quadrille_begin(run, operation, QUADRILLE_AFTER), end = quadrille_row(run, operation)[QUADRILLE_AFTER];
        run->waits[operation] = end - begin;
        for (at = begin; at < end; at++) run->lists[after[at] + 1]++;
    }
    for (operation = 0; operation < operations; operation++) run->lists[operation + 1] += run->lists[operation];
    run->lists[operations + 1] = run->lists[operations];
    /* From the end of each list down to where it begins. */
    for (operation = operations - 1; operation >= 0; operation--) {
        int begin = quadrille_begin(run, operation, QUADRILLE_AFTER), end = quadrille_row(run, operation)[QUADRILLE_AFTER];
        for (at = begin; at < end; at++) run->next[--run->lists[after[at] + 1]] = operation;
    }
}

/* Memory for as many messages as lie in so many places. */
static inline void *quadrille_messages(const quadrille_run *run, int places, size_t *bytes) {
    *bytes = (size_t)(places / run->table.chunks) * (size_t)run->count * (size_t)run->extent;
    return malloc(*bytes + 1);
}

/* As quadrille_run_init; `source`, where it is not null, is where the input lies at each start, and `send` then means nothing. Without `recv` (MPI_IN_PLACE)
 * nobody asks for the output. */
static inline int quadrille_run_prepare(quadrille_run *run, const quadrille_table *table, const void *send, const void *source,
                                        void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    MPI_Aint lower;
    int operation, size, error;
    memset(run, 0, sizeof *run);
    if (count < 0) return MPI_ERR_COUNT;
    if (op != MPI_OP_NULL) {
        int commutes;
        QUADRILLE_TRY(MPI_Op_commutative(op, &commutes));
        if (!commutes) return MPI_ERR_OP;
    }
    QUADRILLE_TRY(MPI_Type_get_extent(type, &lower, &run->extent));
    QUADRILLE_TRY(MPI_Type_size(type, &size));
    run->dense = lower == 0 && run->extent == size;
    run->table = *table, run->count = count, run->type = type, run->op = op;
    QUADRILLE_TRY(quadrille_comm(comm, &run->comm));
    error = quadrille_run_allocate(run);
    if (error == MPI_SUCCESS) {
        size_t bytes;
        run->base[0] = (char *)(size_t)send, run->base[1] = (char *)recv, run->base[2] = (char *)run->scratch - lower;
        if (source != NULL) {
            run->source = (const char *)source + lower;
            run->copied = quadrille_messages(run, table->input, &run->copied_bytes);
            run->base[0] = (char *)run->copied - lower;
        }
        if (recv == MPI_IN_PLACE) {
            run->unwanted = quadrille_messages(run, table->output, &bytes);
            run->base[1] = (char *)run->unwanted - lower;
        }
        if ((source != NULL && run->copied == NULL) || (recv == MPI_IN_PLACE && run->unwanted == NULL)) error = MPI_ERR_NO_MEM;
        quadrille_run_link(run);
    }
    for (operation = 0; operation < table->operations && error == MPI_SUCCESS; operation++) {
        int begin = quadrille_begin(run, operation, QUADRILLE_PLACES);
        const int *row = quadrille_row(run, operation);
        if (row[QUADRILLE_KIND] <= QUADRILLE_RECEIVE)
            error = quadrille_request(run, operation, table->places + begin, row[QUADRILLE_PLACES] - begin);
    }
    if (error != MPI_SUCCESS) quadrille_run_free(run);
    return error;
}

/* Prepares a program for buffers; MPI_Start and what follows are left to quadrille_run_start. Collective over `comm` the first time. */
static inline int quadrille_run_init(quadrille_run *run, const quadrille_table *table, const void *send, void *recv, int count,
                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (send == MPI_IN_PLACE || recv == MPI_IN_PLACE) return MPI_ERR_BUFFER;
    return quadrille_run_prepare(run, table, send, NULL, recv, count, type, op, comm);
}

/* An operation is done: those that waited for nothing else can begin. */
static inline void quadrille_run_done(quadrille_run *run, int operation) {
    int at;
    run->open--;
    for (at = run->lists[operation + 1]; at < run->lists[operation + 2]; at++)
        if (--run->left[run->next[at]] == 0) run->ready[run->last_ready++] = run->next[at];
}

/* Begins all that waits for nothing; copies and merges are done at once. */
static inline int quadrille_run_begin(quadrille_run *run) {
    while (run->first_ready < run->last_ready) {
        int operation = run->ready[run->first_ready++], begin = quadrille_begin(run, operation, QUADRILLE_PLACES);
        const int *row = quadrille_row(run, operation), *places = run->table.places + begin;
        int count = row[QUADRILLE_PLACES] - begin;
        if (row[QUADRILLE_KIND] <= QUADRILLE_RECEIVE) {
            QUADRILLE_TRY(MPI_Start(&run->requests[operation]));
            run->active_requests[run->actives] = run->requests[operation];
            run->active[run->actives++] = operation;
            continue;
        }
        QUADRILLE_TRY(row[QUADRILLE_KIND] == QUADRILLE_COPY ? quadrille_copy(run, places[0], places[1])
                                                            : quadrille_merge(run, places, count - 1, places[count - 1]));
        quadrille_run_done(run, operation);
    }
    return MPI_SUCCESS;
}

/* Starts it; what it reads must stay as it is until it is done. */
static inline int quadrille_run_start(quadrille_run *run) {
    int operation, operations = run->table.operations;
    memcpy(run->left, run->waits, (size_t)operations * sizeof(int));
    run->first_ready = run->last_ready = run->actives = 0;
    run->open = operations;
    if (run->copied != NULL) memcpy(run->copied, run->source, run->copied_bytes);
    /* Receives first, so that what comes finds its place. */
    for (operation = 0; operation < operations; operation++)
        if (!run->waits[operation] && quadrille_row(run, operation)[QUADRILLE_KIND] == QUADRILLE_RECEIVE)
            run->ready[run->last_ready++] = operation;
    for (operation = 0; operation < operations; operation++)
        if (!run->waits[operation] && quadrille_row(run, operation)[QUADRILLE_KIND] != QUADRILLE_RECEIVE)
            run->ready[run->last_ready++] = operation;
    return quadrille_run_begin(run);
}

/* What has ended leaves the list of active requests, and what waited for it begins. */
static inline int quadrille_run_end(quadrille_run *run, int ended) {
    int at, lowest, entry;
    for (at = 0; at < ended; at++) quadrille_run_done(run, run->active[run->finished[at]]);
    for (at = 0; at < ended; at++) run->active[run->finished[at]] = -1;
    for (lowest = 0, entry = 0; entry < run->actives; entry++)
        if (run->active[entry] >= 0) {
            run->active_requests[lowest] = run->active_requests[entry];
            run->active[lowest++] = run->active[entry];
        }
    run->actives = lowest;
    return quadrille_run_begin(run);
}

/* Goes on as far as it can without waiting. */
static inline int quadrille_run_test(quadrille_run *run, int *done) {
    int ended = 0;
    if (run->open) {
        QUADRILLE_TRY(MPI_Testsome(run->actives, run->active_requests, &ended, run->finished, MPI_STATUSES_IGNORE));
        if (ended > 0) QUADRILLE_TRY(quadrille_run_end(run, ended));
    }
    *done = run->open == 0;
    return MPI_SUCCESS;
}

/* Goes on to the end. */
static inline int quadrille_run_wait(quadrille_run *run) {
    while (run->open) {
        int ended;
        QUADRILLE_TRY(MPI_Waitsome(run->actives, run->active_requests, &ended, run->finished, MPI_STATUSES_IGNORE));
        /* Nothing under way and nothing to begin: no verified program comes to that. */
        if (ended == MPI_UNDEFINED) return MPI_ERR_INTERN;
        QUADRILLE_TRY(quadrille_run_end(run, ended));
    }
    return MPI_SUCCESS;
}

#endif
