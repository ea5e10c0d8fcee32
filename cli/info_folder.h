/* mote info FOLDER */
#ifndef CLI_INFO_FOLDER_H
#define CLI_INFO_FOLDER_H

#include <stdbool.h>

/* Describes a run and checks it; returns the exit code. */
int info_folder(const char *folder, bool json);

#endif
