#include <mote/base.h>
#include <stdio.h>
int main(void)
{
    puts(mote_version());
    return 0;
}
