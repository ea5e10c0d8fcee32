/* All of mote. */
#ifndef MOTE_MOTE_H
#define MOTE_MOTE_H

#include <mote/io.h>
#include <mote/run.h>

#endif
