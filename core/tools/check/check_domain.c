/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the promises of a domain (draft/domain.h). Each case starts the ranks, which exchange
 * bytes that all can compute, and compare what they get. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/check/check_instance.h"
#include "tools/check/check_ranks.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

#define LIMIT 20.0 /* [s] waits of ranks that are well */
#define SLACK 3.0  /* [s] a loaded machine may take so much longer; less than a late rank is late */

/* ---- bytes that all can compute ---- */

/** Byte k of the message of a rank to another one in a round. */
static unsigned char byte_of(uint32_t from, uint32_t to, uint32_t round, uint64_t k)
{
    const uint64_t x = k + 0x9e3779b97f4a7c15u * (1 + from + 131u * to + 17161u * round);
    return (unsigned char)((x * 0xbf58476d1ce4e5b9u) >> 56);
}

static void fill(unsigned char *bytes, uint32_t from, uint32_t to, uint32_t round, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        bytes[k] = byte_of(from, to, round, k);
}

static void judge(scree_check_rank *r, const char *call, const unsigned char *bytes, uint32_t from,
                  uint32_t to, uint32_t round, uint64_t n)
{
    for (uint64_t k = 0; k < n && !r->check->failed; k++)
        if (bytes[k] != byte_of(from, to, round, k))
            scree_check_fail(r->check,
                             "%s: round %u: byte %" PRIu64 " of %" PRIu64
                             " from rank %u is %u at rank %u; expected %u",
                             call, round, k, n, from, bytes[k], r->rank,
                             byte_of(from, to, round, k));
}

/** Sizes of messages: nothing, odd ones, about a page, some larger than any buffer. */
static uint64_t size_of(uint32_t from, uint32_t to, uint32_t round)
{
    static const uint64_t sizes[] = {0, 1, 7, 8, 96, 4095, 65536, 65537, 300001, 0};
    if (round == 3)
        return 3000017;
    return sizes[(from + 3 * to + 7 * round) % G_N_ELEMENTS(sizes)];
}

/** Whether two ranks are neighbours in a round. */
static bool is_neighbour(uint32_t a, uint32_t b, uint32_t round)
{
    return round % 4 == 0 || (a + b + round) % 3 != 0;
}

/** The messages of a rank in a round, [ranks] at most, in arrays of the arena. */
static uint32_t make_messages(const scree_check_rank *r, uint32_t round, GPtrArray *arena,
                              scree_message *messages)
{
    uint32_t n = 0;
    for (uint32_t other = 0; other < r->ranks; other++) {
        if (other == r->rank || !is_neighbour(r->rank, other, round))
            continue;
        const uint64_t n_out = size_of(r->rank, other, round);
        const uint64_t n_in = size_of(other, r->rank, round);
        unsigned char *out = scree_check_guarded(n_out), *in = scree_check_guarded(n_in);
        g_ptr_array_add(arena, out);
        g_ptr_array_add(arena, in);
        fill(out, r->rank, other, round, n_out);
        scree_check_protect(out, true);
        messages[n++] =
            (scree_message){.rank = other, .n_out = n_out, .n_in = n_in, .out = out, .in = in};
    }
    return n;
}

static void judge_messages(scree_check_rank *r, uint32_t round, const scree_message *m, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        judge(r, "finish", m[k].in, m[k].rank, r->rank, round, m[k].n_in);
}

/** Value k of a rank in a round; the ends of the range are among them. */
static int64_t value_of(uint32_t rank, uint32_t round, uint32_t k)
{
    uint64_t random = 1 + rank + 1000u * round + 100000u * k;
    const uint64_t bits = scree_check_bits(&random);
    return (int64_t)(bits % 5 == 0   ? (uint64_t)INT64_MAX - (bits >> 60)
                     : bits % 5 == 1 ? (uint64_t)INT64_MIN + (bits >> 60)
                     : bits % 5 == 2 ? bits >> 50
                                     : bits);
}

static int64_t reduce(const scree_check_rank *r, uint32_t reduction, uint32_t round, uint32_t k)
{
    uint64_t all = (uint64_t)value_of(0, round, k);
    for (uint32_t rank = 1; rank < r->ranks; rank++) {
        const uint64_t v = (uint64_t)value_of(rank, round, k);
        all = reduction == SCREE_REDUCE_SUM  ? all + v
              : reduction == SCREE_REDUCE_OR ? all | v
              : (int64_t)v > (int64_t)all    ? v
                                             : all;
    }
    return (int64_t)all;
}

static void judge_values(scree_check_rank *r, uint32_t reduction, uint32_t round,
                         const int64_t *values, uint32_t n)
{
    static const char *const names[] = {"sum", "max", "or"};
    for (uint32_t k = 0; k < n && !r->check->failed; k++)
        if (values[k] != reduce(r, reduction, round, k))
            scree_check_fail(r->check,
                             "finish: %s of value %u of %u is %" PRId64 " at rank %u; expected "
                             "%" PRId64,
                             names[reduction], k, n, values[k], r->rank,
                             reduce(r, reduction, round, k));
}

/** A round of messages and a reduction that start together. */
static void exchange(scree_check_rank *r, uint32_t round, uint32_t n_values)
{
    g_autoptr(GPtrArray) arena = g_ptr_array_new_with_free_func(scree_check_guarded_free);
    g_autofree scree_message *messages = g_new0(scree_message, r->ranks);
    int64_t *values = scree_check_guarded(n_values * sizeof(int64_t));
    g_ptr_array_add(arena, values);
    const scree_exchange e = {.size = sizeof e,
                              .n_messages = make_messages(r, round, arena, messages),
                              .messages = messages,
                              .reduction = round % 3,
                              .n_values = n_values,
                              .values = values};
    for (uint32_t k = 0; k < n_values; k++)
        values[k] = value_of(r->rank, round, k);
    if (!scree_check_rank_exchange(r, &e))
        return;
    judge_messages(r, round, messages, e.n_messages);
    judge_values(r, e.reduction, round, values, n_values);
    const uint32_t n_noted = round < SCREE_CHECK_RANK_TURNS ? n_values : 0;
    for (uint32_t k = 0; k < n_noted; k++)
        r->seats[r->process].bits[round] += (uint64_t)values[k] * (2 * k + 1);
}

/** Bytes of each rank in a gather, and their sum. */
static uint64_t count_bytes(const scree_check_rank *r, uint32_t round, uint64_t *bytes)
{
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < r->ranks; rank++)
        sum += bytes[rank] = size_of(rank, 0, round + 4);
    return sum;
}

static void gather(scree_check_rank *r, uint32_t root, uint32_t round)
{
    g_autofree uint64_t *bytes = g_new(uint64_t, r->ranks);
    const uint64_t sum = count_bytes(r, round, bytes);
    const bool takes = root == SCREE_DOMAIN_ALL || root == r->rank, in_place = takes && round % 2;
    unsigned char *all = takes ? scree_check_guarded(sum) : NULL, *at = all;
    unsigned char *mine = in_place ? all : scree_check_guarded(bytes[r->rank]);
    const uint32_t n_before = in_place ? r->rank : 0, n_taken = takes ? r->ranks : 0;
    for (uint32_t rank = 0; rank < n_before; rank++)
        mine += bytes[rank];
    fill(mine, r->rank, 0, round, bytes[r->rank]);
    if (SCREE_CHECK_CALL(r->check, r->instance, "gather",
                         r->ops->gather(r->instance->self, root, mine, bytes, all)))
        for (uint32_t rank = 0; rank < n_taken; at += bytes[rank++])
            judge(r, "gather", at, rank, 0, round, bytes[rank]);
    if (!in_place)
        scree_check_guarded_free(mine);
    if (all)
        scree_check_guarded_free(all);
}

static void broadcast(scree_check_rank *r, uint32_t root, uint32_t round)
{
    const uint64_t n = size_of(root, 1, round);
    unsigned char *data = scree_check_guarded(n);
    if (root == r->rank)
        fill(data, root, 1, round, n);
    if (SCREE_CHECK_CALL(r->check, r->instance, "broadcast",
                         r->ops->broadcast(r->instance->self, root, data, n)))
        judge(r, "broadcast", data, root, 1, round, n);
    scree_check_guarded_free(data);
}

/* ---- numbers of ranks ---- */

/** Settings, and the ranks of a launcher, which has the number that it is given. */
static const struct {
    const char *set;
    uint32_t launched;
} numbers[] = {{"ranks=1", 1}, {"ranks=2", 2}, {"ranks=3", 0},
               {"ranks=5", 5}, {"ranks=8", 0}, {NULL, 3}};

/** Runs ranks in the number of the default, and in each that a parameter `ranks` may have. */
static void each_number(scree_check *check, const void *row)
{
    scree_check_crew plan = *(const scree_check_crew *)row;
    uint32_t n_run = 0;
    plan.owns = true;
    plan.limit = plan.limit > 0.0 ? plan.limit : LIMIT;
    for (size_t k = 0; k < G_N_ELEMENTS(numbers) && !check->failed && !check->skipped; k++) {
        const char *set = numbers[k].set;
        const bool has = set && scree_check_has_param(check->plugin, set);
        const bool launches = (check->launcher || check->as_rank) && !plan.fails;
        if (set && !has && !(launches && numbers[k].launched))
            continue;
        plan.launched = numbers[k].launched;
        scree_instance *i = scree_check_instance(check, scree_check_dimension(check), 1,
                                                 SCREE_CHECK_DEFAULTS, has ? set : NULL);
        n_run += i && scree_check_ranks(check, i, &plan);
    }
    if (!n_run && !check->failed && !check->skipped)
        scree_check_skip(check, "it has fewer than %u ranks", plan.least);
}

/** Sleeps a little, another time on each rank and in each round. */
static void dawdle(const scree_check_rank *r, uint32_t round)
{
    uint64_t random = 17 * r->rank + round;
    const uint64_t bits = scree_check_bits(&random);
    if (bits % 3 == 0)
        g_usleep(bits % 2000);
}

/* ---- cases ---- */

static void go_join(scree_check_rank *r)
{
    int64_t taken[2] = {(int64_t)(1ull << MIN(r->rank, 62)), 1};
    const scree_exchange e = {.size = sizeof e, .n_values = 2, .values = taken};
    if (!scree_check_rank_exchange(r, &e) || r->ranks > 60)
        return;
    if (taken[0] != (int64_t)((1ull << r->ranks) - 1))
        scree_check_fail(r->check, "join: two processes of %u are the same rank", r->ranks);
}

static void go_exchange(scree_check_rank *r)
{
    for (uint32_t round = 0; round < 24 && !r->check->failed; round++) {
        dawdle(r, round);
        exchange(r, round, 0);
    }
}

static void go_reduce(scree_check_rank *r)
{
    static const uint32_t sizes[] = {1, 8, 0, 1000, 3, 70000};
    for (uint32_t round = 0; round < 18 && !r->check->failed; round++) {
        dawdle(r, round);
        exchange(r, 4 + round, sizes[round % G_N_ELEMENTS(sizes)]);
    }
}

static void go_gather(scree_check_rank *r)
{
    for (uint32_t round = 0; round < 8 && !r->check->failed; round++) {
        dawdle(r, round);
        gather(r, round % (r->ranks + 1) == r->ranks ? SCREE_DOMAIN_ALL : round % r->ranks, round);
        gather(r, SCREE_DOMAIN_ALL, round);
    }
}

static void go_broadcast(scree_check_rank *r)
{
    for (uint32_t round = 0; round < 12 && !r->check->failed; round++) {
        dawdle(r, round);
        broadcast(r, round % r->ranks, round);
    }
}

/** All but the last rank return from begin() before the last one has called it. */
static void go_start(scree_check_rank *r)
{
    g_autoptr(GPtrArray) arena = g_ptr_array_new_with_free_func(scree_check_guarded_free);
    g_autofree scree_message *messages = g_new0(scree_message, r->ranks);
    int64_t value = 1;
    const scree_exchange e = {.size = sizeof e,
                              .n_messages = make_messages(r, 8, arena, messages),
                              .messages = messages,
                              .n_values = 1,
                              .values = &value};
    if (r->process == r->ranks - 1)
        for (uint32_t other = 0; other + 1 < r->ranks; other++)
            if (!scree_check_rank_await(r, other, 1))
                scree_check_fail(r->check, "begin: process %u waits in it for another rank", other);
    if (!SCREE_CHECK_CALL(r->check, r->instance, "begin", r->ops->begin(r->instance->self, &e)))
        return;
    bool done = false;
    const bool tests = SCREE_HAS(r->ops, test) && r->process < r->ranks - 1;
    if (tests && !scree_check_rank_test(r, &done))
        return;
    if (done)
        scree_check_fail(r->check, "test: *done is 1 before process %u has begun", r->ranks - 1);
    atomic_store(&r->seats[r->process].at, 1);
    if (SCREE_CHECK_CALL(r->check, r->instance, "finish", r->ops->finish(r->instance->self)))
        judge_messages(r, 8, messages, e.n_messages);
    if (!r->check->failed && value != r->ranks)
        scree_check_fail(r->check, "finish: sum of ones is %" PRId64 "; expected %u", value,
                         r->ranks);
}

/* ---- cases of faults: the others end with an error, soon, and with a text ---- */

/** A call that waits for other ranks. */
typedef enum waiting { IN_FINISH, IN_GATHER, IN_BROADCAST } waiting;

static waiting wait_in; // the calls of ranks have no data of the case

/** Waits for the last process, which does not come; the code, and the text in *error. */
static int32_t wait_for_last(scree_check_rank *r, GError **error)
{
    static const char *const names[] = {"finish", "gather", "broadcast"};
    unsigned char data[16] = {0};
    int64_t value = 1;
    g_autofree uint64_t *bytes = g_new0(uint64_t, r->ranks);
    g_autofree char *all = g_malloc0(16 * (size_t)r->ranks);
    const scree_exchange e = {.size = sizeof e, .n_values = 1, .values = &value};
    for (uint32_t k = 0; k < r->ranks; k++)
        bytes[k] = sizeof data;
    if (wait_in == IN_FINISH &&
        !SCREE_CHECK_CALL(r->check, r->instance, "begin", r->ops->begin(r->instance->self, &e)))
        return SCREE_OK;
    scree_call call = scree_call_begin(r->instance, SCREE_CALL_STEP, names[wait_in]);
    const int32_t code =
        wait_in == IN_FINISH ? r->ops->finish(r->instance->self)
        : wait_in == IN_GATHER
            ? r->ops->gather(r->instance->self, SCREE_DOMAIN_ALL, data, bytes, all)
            : r->ops->broadcast(r->instance->self, r->ranks - 1, data, sizeof data);
    return scree_call_end(&call, code, SCREE_OK, error);
}

/** Fails unless a wait for the last rank ends with a text that has the words, within `most`. */
static void expect_end(scree_check_rank *r, double least, double most, const char *const *words)
{
    static const char *const names[] = {"finish", "gather", "broadcast"};
    g_autoptr(GError) error = NULL;
    const gint64 start = g_get_monotonic_time();
    const int32_t code = wait_for_last(r, &error);
    const double took = 1e-6 * (double)(g_get_monotonic_time() - start);
    if (r->check->failed)
        return;
    if (code >= 0) {
        scree_check_fail(r->check,
                         "%s: it returned %d at process %u, though another rank never "
                         "came",
                         names[wait_in], code, r->process);
        return;
    }
    for (; *words && !r->check->failed; words++)
        if (!strstr(error->message, *words))
            scree_check_fail(r->check, "%s: expected \"%s\" in the text, got \"%s\"",
                             names[wait_in], *words, error->message);
    if (took < least || took > most)
        scree_check_fail(r->check, "%s: the error came after %.2f s; expected %.2f to %.2f s",
                         names[wait_in], took, least, most);
}

static void go_abort(scree_check_rank *r)
{
    g_autofree char *rank = g_strdup_printf("rank %u", r->ranks - 1);
    if (r->rank != r->ranks - 1) {
        expect_end(r, 0.0, SLACK, (const char *const[]){"the disk is full", rank, NULL});
        return;
    }
    g_usleep(50000);
    SCREE_CHECK_CALL(r->check, r->instance, "abort",
                     r->ops->abort(r->instance->self, "the disk is full"));
}

static void go_leave(scree_check_rank *r)
{
    g_autofree char *rank = g_strdup_printf("rank %u", r->ranks - 1);
    if (r->rank != r->ranks - 1)
        expect_end(r, 0.0, SLACK, (const char *const[]){rank, NULL});
}

static void go_kill(scree_check_rank *r)
{
    g_autofree char *rank = g_strdup_printf("rank %u", r->rank);
    if (r->process == r->ranks - 1) {
        atomic_store(&r->seats[r->process].at, 1 + r->rank);
        raise(SIGKILL);
    }
    scree_check_rank_await(r, r->ranks - 1, 1);
    g_free(rank);
    rank = g_strdup_printf("rank %u", atomic_load(&r->seats[r->ranks - 1].at) - 1);
    expect_end(r, 0.0, SLACK, (const char *const[]){rank, NULL});
}

#define SHORT_LIMIT 0.4 /* [s] */
#define MOST_CPU 0.1 /* [s] in a wait: a loaded machine may give a rank that spins not much more */

static void go_limit(scree_check_rank *r)
{
    g_autofree char *rank = g_strdup_printf("rank %u", r->ranks - 1);
    if (r->rank != r->ranks - 1) {
        expect_end(r, 0.9 * SHORT_LIMIT, SHORT_LIMIT + SLACK, (const char *const[]){rank, NULL});
        atomic_store(&r->seats[r->process].at, 1);
    }
    for (uint32_t other = 0; other + 1 < r->ranks && r->rank == r->ranks - 1; other++)
        scree_check_rank_await(r, other, 1);
}

/** Rank 0 sends more bytes to rank 1 than it expects. */
static void go_mismatch(scree_check_rank *r)
{
    enum { MEANT = 17, SENT = 21 };
    unsigned char out[SENT] = {0}, in[SENT];
    const scree_message m = {
        .rank = 1 - r->rank, .n_out = r->rank ? MEANT : SENT, .n_in = MEANT, .out = out, .in = in};
    const scree_exchange e = {.size = sizeof e, .n_messages = 1, .messages = &m};
    g_autoptr(GError) error = NULL;
    if (r->rank > 1)
        return;
    scree_call call = scree_call_begin(r->instance, SCREE_CALL_STEP, "begin");
    int32_t code = r->ops->begin(r->instance->self, &e);
    code = scree_call_end(&call, code, SCREE_OK, &error);
    if (code >= 0) {
        call = scree_call_begin(r->instance, SCREE_CALL_STEP, "finish");
        code = r->ops->finish(r->instance->self);
        code = scree_call_end(&call, code, SCREE_OK, &error);
    }
    if (r->rank == 1 && code >= 0)
        scree_check_fail(r->check, "finish: it returned %d, though %d bytes came in place of %d",
                         code, SENT, MEANT);
    else if (r->rank == 1 && (!strstr(error->message, "17") || !strstr(error->message, "21")))
        scree_check_fail(r->check, "finish: expected 17 and 21 bytes in the text, got \"%s\"",
                         error->message);
}

/** The last rank comes late. */
static void go_idle(scree_check_rank *r)
{
    enum { LATE_MS = 1500 };
    struct timespec before, after;
    int64_t value = 1;
    const scree_exchange e = {.size = sizeof e, .n_values = 1, .values = &value};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    if (r->process == r->ranks - 1)
        g_usleep(1000 * LATE_MS);
    if (!scree_check_rank_exchange(r, &e))
        return;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    const double cpu =
        (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    if (cpu > MOST_CPU)
        scree_check_fail(r->check,
                         "finish: %.2f s of CPU time in a wait of %.2f s; expected %g s at most",
                         cpu, 1e-3 * LATE_MS, MOST_CPU);
}

/** The root of a broadcast comes after the limit. */
static void go_long(scree_check_rank *r)
{
    unsigned char data = r->rank == 0;
    if (r->rank == 0)
        g_usleep((gulong)(3e6 * SHORT_LIMIT));
    if (SCREE_CHECK_CALL(r->check, r->instance, "broadcast",
                         r->ops->broadcast(r->instance->self, 0, &data, 1)) &&
        data != 1)
        scree_check_fail(r->check, "broadcast: got %u after a wait, expected 1", data);
}

/** Lets ranks wait in each call that waits. */
static void each_wait(scree_check *check, const void *row)
{
    const scree_check_crew *plan = row;
    const waiting last = plan->limit < LIMIT ? IN_GATHER : IN_BROADCAST; // which has no limit
    for (wait_in = IN_FINISH; wait_in <= last && !check->failed && !check->skipped; wait_in++)
        each_number(check, plan);
}

/* ---- the exercise: turns of ranks that have ended when it begins ---- */

static void go_turns(scree_check_rank *r)
{
    for (uint32_t turn = 0; turn < SCREE_CHECK_RANK_TURNS && !r->check->failed; turn++) {
        exchange(r, turn, 8);
        gather(r, SCREE_DOMAIN_ALL, turn);
        broadcast(r, 0, turn);
    }
}

static void *exercise_begin(scree_check *check, scree_instance *instance)
{
    scree_check_crew *crew = g_new0(scree_check_crew, 1);
    *crew = (scree_check_crew){.fn = go_turns, .limit = LIMIT};
    if (!scree_check_ranks(check, instance, crew))
        g_clear_pointer(&crew, g_free);
    return crew;
}

static void exercise_turn(void *state, uint32_t turn, GChecksum *bits)
{
    const scree_check_crew *crew = state;
    g_checksum_update(bits, (const guchar *)&crew->bits[turn], sizeof crew->bits[turn]);
}

static const scree_check_exercise exercise = {exercise_begin, exercise_turn, g_free};
#define RANKS(...)                                                                                 \
    .by = each_number, .row = &(const scree_check_crew)                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define WAIT(...)                                                                                  \
    .by = each_wait, .row = &(const scree_check_crew)                                              \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const scree_check_case cases[] = {
    {"join", "each process becomes another rank, and all know how many they are",
     RANKS(.fn = go_join)},
    {"exchange", "each byte of messages of any size comes to its rank, in the order of calls",
     RANKS(.fn = go_exchange)},
    {"start", "begin() starts messages and a reduction, and does not wait",
     RANKS(.fn = go_start, .least = 2)},
    {"reduce", "sum, max and or of integers are those of all ranks, on each rank",
     RANKS(.fn = go_reduce)},
    {"gather", "the bytes of all ranks come in the order of ranks, to one rank or to all",
     RANKS(.fn = go_gather)},
    {"broadcast", "the bytes of one rank come to all", RANKS(.fn = go_broadcast)},
    {"mismatch", "another number of bytes than expected is an error with both numbers",
     RANKS(.fn = go_mismatch, .least = 2, .fails = true)},
    {"abort", "abort() ends what the others wait for, with its text",
     WAIT(.fn = go_abort, .least = 2, .limit = 60.0, .fails = true)},
    {"leave", "a rank that has left ends what the others wait for, by its number",
     WAIT(.fn = go_leave, .least = 2, .limit = 60.0, .fails = true)},
    {"kill", "so does a rank that was killed",
     WAIT(.fn = go_kill, .least = 2, .limit = 60.0, .kills = true, .fails = true)},
    {"limit", "a rank that does not come in time ends what the others wait for, by its number",
     WAIT(.fn = go_limit, .least = 2, .limit = SHORT_LIMIT, .fails = true)},
    {"long", "a broadcast waits for its rank beyond the limit",
     RANKS(.fn = go_long, .least = 2, .limit = SHORT_LIMIT)},
    {"idle", "a rank that waits leaves the CPU to others", RANKS(.fn = go_idle, .least = 2)},
    {0},
};
const scree_check_suite scree_check_domain = {SCREE_DRAFT_KIND_DOMAIN, &exercise, cases};
