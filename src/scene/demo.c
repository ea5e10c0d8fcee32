/* The built-in demo: scenes/demo.json5, put in by the build. */
#include "scene/scene.h"

const char scene_demo_text[] =
#include "scene_demo.inc"
    ;
