// SPDX-License-Identifier: Apache-2.0
// A text file of an observer: written through a FILE, kept under its name when it is whole.
#include "stream.h"

#include <errno.h>
#include <fcntl.h>

int32_t stream_fail(text_stream *s, const char *suffix)
{
    s->broken = 1;
    return scree_failf(s->host, SCREE_E_IO, "cannot write %s%s: %s", s->base, suffix,
                       strerror(errno));
}

int32_t stream_keep(text_stream *s, const char *suffix)
{
    if (fflush(s->file) != 0 || ferror(s->file))
        return stream_fail(s, suffix);
    s->whole = ftello(s->file);
    return SCREE_OK;
}

/* The stream is on a descriptor of its own, because the service closes its own. */
int32_t stream_open(text_stream *s, const char *suffix)
{
    char name[4096];
    int fd;
    int32_t status;
    if (snprintf(name, sizeof name, "%s%s", s->base, suffix) >= (int)sizeof name)
        return s->host->fail(s->host->ctx, SCREE_E_CONFIG, "the name in `file` is too long");
    status = s->output->open(s->output->ctx, name, &s->fd);
    if (status != SCREE_OK)
        return status;
    fd = fcntl(s->fd, F_DUPFD_CLOEXEC, 0);
    s->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (s->file)
        return SCREE_OK;
    status = stream_fail(s, suffix);
    if (fd >= 0)
        close(fd);
    s->output->close(s->output->ctx, s->fd, 0);
    return status;
}

int32_t stream_close(text_stream *s, const char *suffix)
{
    int32_t status = SCREE_OK, closed, keep;
    int failed = ferror(s->file);
    failed |= fclose(s->file);
    s->file = NULL;
    if (failed && !s->broken)
        status = stream_fail(s, suffix);
    keep = !s->broken || s->whole > 0;
    if (s->broken && keep && ftruncate(s->fd, s->whole) != 0)
        scree_logf(s->host, SCREE_LOG_WARNING, "%s%s cannot be cut to its whole rows: %s", s->base,
                   suffix, strerror(errno));
    s->whole = 0;
    closed = s->output->close(s->output->ctx, s->fd, keep);
    return status != SCREE_OK ? status : closed;
}
