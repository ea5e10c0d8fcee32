/* Both precisions in one program: the same swing in float and in double.
 *
 *     cc -c swing.c $(pkg-config --cflags mote) -o float.o
 *     cc -c swing.c $(pkg-config --cflags mote-double) -o double.o
 *     cc main.c float.o double.o $(pkg-config --libs mote mote-double) -lm -o both_precisions */
#include "swing.h"

#include <stdio.h>

int main(void)
{
    const double in_float = swing_in_float(20), in_double = swing_in_double(20);
    printf("after 20 swings off by %.0e m/s in float and %.0e m/s in double\n", in_float,
           in_double);
    return in_float < 0 || in_double < 0;
}
