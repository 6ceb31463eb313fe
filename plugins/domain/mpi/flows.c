/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers between ranks of MPI, and how a rank waits for them (mpi.c). */
#include <inttypes.h>
#include <sched.h>
#include <time.h>

#include "rank.h"

#ifndef PIECE
#define PIECE (UINT64_C(1) << 30) /* [bytes] */
#endif
#define GRACE 0.25 /* [s] for what is on its way: answers, bytes of a rank that has left */
#define TURN 0.1   /* [s] longest time between two looks that counts: it may have been stopped */

enum { WHOLE = 1, LENGTH, PART }; // tags of bytes

/* ---- flows ---- */

void rank_open_out(mpi *self, uint32_t to, const void *bytes, uint64_t n)
{
    self->out[to] = (flow){.n = n, .out = bytes, .open = true, .request = MPI_REQUEST_NULL};
}

void rank_open_in(mpi *self, uint32_t from, void *bytes, uint64_t n)
{
    self->in[from] = (flow){.n = n, .in = bytes, .open = true, .request = MPI_REQUEST_NULL};
}

static uint64_t next_piece(const flow *f)
{
    const uint64_t rest = f->n - f->done;
    return rest < PIECE ? rest : PIECE;
}

/** Starts the next transfer of a flow to a rank. */
static int32_t send_next(mpi *self, flow *f, int to)
{
    const bool length = f->n >= PIECE && !f->headed;
    const void *bytes = length ? (const void *)&f->n : f->n ? f->out + f->done : NULL;
    const int tag = length ? LENGTH : f->headed ? PART : WHOLE;
    f->busy = length ? 0 : next_piece(f);
    f->headed = f->headed || length;
    const int code = MPI_Isend(bytes, length ? (int)sizeof f->n : (int)f->busy, MPI_BYTE, to, tag,
                               self->bytes, &f->request);
    return code == MPI_SUCCESS ? SCREE_OK : rank_stop_by(self, code);
}

static int32_t expect(mpi *self, const flow *f, int from, uint64_t n)
{
    return n == f->n
               ? SCREE_OK
               : rank_stop(self, "expected %" PRIu64 " bytes from rank %" PRIu64 ", got %" PRIu64,
                           f->n, (uint64_t)from, n);
}

/** Starts the next transfer of a flow from a rank, if it has come; *moved: it has. */
static int32_t receive_next(mpi *self, flow *f, int from, bool *moved)
{
    MPI_Message message;
    MPI_Status status;
    int here, count = 0;
    int code = MPI_Improbe(from, MPI_ANY_TAG, self->bytes, &here, &message, &status);
    if (code != MPI_SUCCESS)
        return rank_stop_by(self, code);
    *moved = here;
    if (!here)
        return SCREE_OK;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (status.MPI_TAG == LENGTH) {
        uint64_t n = 0;
        code = MPI_Mrecv(&n, (int)sizeof n, MPI_BYTE, &message, MPI_STATUS_IGNORE); // it is here
        f->headed = true;
        return code == MPI_SUCCESS ? expect(self, f, from, n) : rank_stop_by(self, code);
    }
    f->busy = f->headed ? next_piece(f) : f->n;
    if (f->busy != (uint64_t)count)
        return expect(self, f, from, (uint64_t)count);
    code = MPI_Imrecv(f->n ? f->in + f->done : NULL, count, MPI_BYTE, &message, &f->request);
    return code == MPI_SUCCESS ? SCREE_OK : rank_stop_by(self, code);
}

/** Moves a flow as far as it goes without waiting; *moved: anything did. */
static int32_t move(mpi *self, flow *f, int other, bool outward, bool *moved)
{
    while (f->open) {
        int done = 1;
        bool more = true;
        if (f->request != MPI_REQUEST_NULL) {
            const int code = MPI_Test(&f->request, &done, MPI_STATUS_IGNORE);
            if (code != MPI_SUCCESS)
                return rank_stop_by(self, code);
            f->done += done ? f->busy : 0;
            f->open = f->done < f->n || !done;
        } else {
            const int32_t code =
                outward ? send_next(self, f, other) : receive_next(self, f, other, &more);
            if (code < 0)
                return code;
        }
        if (!done || !more)
            return SCREE_OK;
        *moved = true;
    }
    return SCREE_OK;
}

int32_t rank_move_some(mpi *self, bool *moved, bool *open, int *awaited)
{
    *moved = false;
    *awaited = NO_RANK;
    for (uint32_t r = 0; r < self->ranks; r++) {
        int32_t code = move(self, &self->out[r], (int)r, true, moved);
        code = code < 0 ? code : move(self, &self->in[r], (int)r, false, moved);
        if (code < 0)
            return code;
        if (self->in[r].open || (self->out[r].open && *awaited == NO_RANK))
            *awaited = (int)r;
    }
    if (self->reduction != MPI_REQUEST_NULL) {
        int done;
        const int code = MPI_Test(&self->reduction, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return rank_stop_by(self, code);
        *moved = *moved || done;
    }
    *open = *awaited != NO_RANK || self->reduction != MPI_REQUEST_NULL;
    return SCREE_OK;
}

/* ---- waiting ---- */

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void rank_pause(uint64_t idle)
{
    enum { TESTS = 100, YIELDS = 300, SHORTEST = 50000, LONGEST = 1000000 }; // [ns]
    if (idle < TESTS)
        return;
    if (idle < YIELDS) {
        sched_yield();
        return;
    }
    const uint64_t ns = SHORTEST + 1000 * (idle - YIELDS);
    const struct timespec t = {0, (long)(ns < LONGEST ? ns : LONGEST)};
    nanosleep(&t, NULL);
}

void rank_count_turn(idling *w, bool moved)
{
    enum { BEFORE_LOOK = 300 };
    if (moved)
        *w = (idling){.idle = 0};
    else if (++w->idle >= BEFORE_LOOK) {
        const double time = clock_now(), since = time - w->last;
        w->waited += w->idle == BEFORE_LOOK ? 0.0 : since < TURN ? since : TURN;
        w->last = time;
    }
}

/** A rank that has left while this one waits for it, or for all; NO_RANK: none. */
static int left_rank(const mpi *self)
{
    for (uint32_t r = 0; r < self->ranks; r++)
        if (self->left[r] &&
            (self->in[r].open || self->out[r].open || self->reduction != MPI_REQUEST_NULL))
            return (int)r;
    return NO_RANK;
}

/** The rank that keeps others waiting: one that has not answered, if any. */
static uint32_t late_rank(const mpi *self, int awaited)
{
    if (awaited != NO_RANK && !self->here[awaited])
        return (uint32_t)awaited;
    for (uint32_t r = 0; r < self->ranks; r++)
        if (r != self->rank && !self->here[r])
            return r;
    return awaited == NO_RANK ? self->rank : (uint32_t)awaited;
}

/** Whether a wait must end: a rank has left, or is late, which takes two looks. */
static int32_t look_around(mpi *self, idling *w, int awaited, bool limited)
{
    const int gone = w->waited > 0.0 ? left_rank(self) : NO_RANK;
    if (gone != NO_RANK && w->left <= 0.0)
        w->left = w->waited; // its bytes may come now
    if (gone != NO_RANK && w->waited > w->left + GRACE)
        return rank_stop(self, "rank %" PRIu64 " has ended", (uint64_t)gone, 0, 0);
    if (!limited || w->waited <= self->limit)
        return SCREE_OK;
    if (w->asked <= 0.0) {
        w->asked = w->waited;
        memset(self->here, 0, self->ranks * sizeof *self->here);
        rank_notify_all(self, ASKS);
    }
    if (w->waited <= w->asked + GRACE)
        return SCREE_OK;
    return rank_stop(self, "rank %" PRIu64 " did not come within %" PRIu64 " ms",
                     late_rank(self, awaited), (uint64_t)(1e3 * self->limit), 0);
}

void rank_settle(mpi *self)
{
    idling w = {.idle = 0};
    int done = 0;
    while (!done && w.waited <= GRACE) {
        done = 1;
        for (uint32_t r = 0; r < 2 * self->ranks; r++) {
            flow *f = r < self->ranks ? &self->out[r] : &self->in[r - self->ranks];
            int one = 1;
            if (f->open && f->request != MPI_REQUEST_NULL)
                MPI_Test(&f->request, &one, MPI_STATUS_IGNORE);
            done = done && one;
        }
        rank_count_turn(&w, false);
        rank_pause(w.idle);
    }
    self->stuck = !done;
}

int32_t rank_carry(mpi *self, bool limited)
{
    idling w = {.idle = 0};
    int32_t code = SCREE_OK;
    for (bool open = true; open;) {
        bool moved;
        int awaited;
        code = rank_move_some(self, &moved, &open, &awaited);
        rank_count_turn(&w, moved);
        code = code < 0 || !w.idle ? code : rank_hear(self);
        code = code < 0 ? code : look_around(self, &w, awaited, limited);
        if (code < 0) {
            rank_settle(self);
            return code;
        }
        if (open)
            rank_pause(w.idle);
    }
    return code;
}
