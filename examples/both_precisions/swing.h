/* What swing.c is, compiled once for each library. */
#ifndef SWING_H
#define SWING_H

/* Speed, m/s, of a mass on a spring after so many whole swings, when it should rest; negative: it
 * failed. */
double swing_in_float(int swings);
double swing_in_double(int swings);

#endif
