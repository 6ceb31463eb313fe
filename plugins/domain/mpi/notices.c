/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, and the notices through which ranks of MPI learn of them (mpi.c). */
#include "rank.h"

void rank_notify(mpi *self, uint32_t to, uint32_t what)
{
    MPI_Request request;
    self->said[what].what = what;
    if (MPI_Isend(&self->said[what], (int)sizeof(notice), MPI_BYTE, (int)to, 0, self->notices,
                  &request) == MPI_SUCCESS)
        MPI_Request_free(&request);
}

void rank_notify_all(mpi *self, uint32_t what)
{
    for (uint32_t r = 0; r < self->ranks; r++)
        if (r != self->rank)
            rank_notify(self, r, what);
}

void rank_abort(mpi *self, const char *text)
{
    self->failed = true;
    if (*self->text)
        return;
    snprintf(self->text, sizeof self->text, "rank %u: %.500s", self->rank, text);
    memcpy(self->said[FAILED].text, self->text, sizeof self->text);
    if (self->listening != MPI_REQUEST_NULL && !self->stuck)
        rank_notify_all(self, FAILED);
}

int32_t rank_stop(mpi *self, const char *format, uint64_t a, uint64_t b, uint64_t c)
{
    char text[200];
    snprintf(text, sizeof text, format, a, b, c);
    rank_abort(self, text);
    return self->host->fail(self->host->ctx, SCREE_E_CANCELLED, self->text);
}

int32_t rank_stop_by(mpi *self, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    rank_abort(self, text);
    return self->host->fail(self->host->ctx, SCREE_E_CANCELLED, self->text);
}

int rank_take_notices(mpi *self)
{
    for (;;) {
        MPI_Status status;
        int here;
        int code = MPI_Test(&self->listening, &here, &status);
        if (code != MPI_SUCCESS || !here)
            return code;
        const uint32_t from = (uint32_t)status.MPI_SOURCE, what = self->heard.what;
        if (what == FAILED && !*self->text)
            memcpy(self->text, self->heard.text, sizeof self->text);
        self->failed = self->failed || what == FAILED;
        self->left[from] = self->left[from] || what == LEFT;
        self->here[from] = self->here[from] || what == HERE;
        if (what == ASKS)
            rank_notify(self, from, HERE);
        code = MPI_Irecv(&self->heard, (int)sizeof(notice), MPI_BYTE, MPI_ANY_SOURCE, 0,
                         self->notices, &self->listening);
        if (code != MPI_SUCCESS)
            return code;
    }
}

int32_t rank_hear(mpi *self)
{
    const int code = rank_take_notices(self);
    if (code != MPI_SUCCESS)
        return rank_stop_by(self, code);
    return self->failed ? self->host->fail(self->host->ctx, SCREE_E_CANCELLED, self->text)
                        : SCREE_OK;
}
