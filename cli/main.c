#include "bench/bench.h"
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        mote_Error e;
        mote_Scene *s;
        mote_World *w;
        mote_SceneDef d = mote_scene_def();
        mote_Tasks *tasks;
        mote_TasksDef td = mote_tasks_def();
        d.path = argc > 2 ? argv[2] : NULL;
        mote_Status st = mote_scene_load(&d, &s, &e);
        if (st) {
            fprintf(stderr, "%d %s\n%s", (int)st, e.message,
                    s ? mote_scene_messages(s, false) : "");
            return 3;
        }
        mote_tasks_create(&td, &tasks, &e);
        if (mote_scene_world(s, tasks, &w, &e)) {
            fprintf(stderr, "%s\n", e.message);
            return 1;
        }
        mote_Image *im;
        mote_SceneInfo in = mote_scene_info(s);
        mote_image_create(in.width, in.height, &im, &e);
        int n = argc > 3 ? atoi(argv[3]) : 60;
        for (int i = 0; i < n; ++i) {
            mote_StepReport r;
            if (mote_world_step(w, &r, &e)) {
                fprintf(stderr, "%s\n", e.message);
                return 4;
            }
            if (i == n - 1)
                printf("%llu particles %g s hits %llu\n", (unsigned long long)r.particles,
                       r.seconds, (unsigned long long)r.hits);
        }
        mote_RenderDef rd;
        const mote_Frame *f;
        mote_scene_picture(s, mote_world_frame(w), &rd, &f, &e);
        rd.tasks = tasks;
        if (mote_render(&rd, f, im, &e)) {
            fprintf(stderr, "%s\n", e.message);
            return 4;
        }
        mote_image_write_png(im, "/tmp/demo.png", 8, &e);
        return 0;
    }
    BenchOptions o = {.count = argc > 1 ? (size_t)atof(argv[1]) : 0,
                      .threads = argc > 2 ? atoi(argv[2]) : 0};
    return bench_points(&o);
}
