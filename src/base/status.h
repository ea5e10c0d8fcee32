/* Filling a mote_Error. Every message is one sentence: where, what, what would be right. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <mote/base.h>

/* Writes the message (cut at the buffer's end) and returns `status`; error may be NULL. */
__attribute__((format(printf, 3, 4))) mote_Status status_fail(mote_Error *error, mote_Status status,
                                                              const char *format, ...);

/* "out of memory: WHAT needs N bytes". */
mote_Status status_no_memory(mote_Error *error, const char *what, size_t bytes);

#endif
