/* What is wrong in a scene is shown with file, line and column, and with what may have been meant;
 * all of it in one run. */
#include "scene/loading.h"

/* Every text holds its mistake on line 3. */
static const struct Mistake {
    const char *line, *place, *message, *hint;
} mistakes[] = {
    {"systems: [{ name: 'a', solver: { type: 'poins' } }]", "3:40", "unknown solver `poins`",
     "did you mean `points`?"},
    {"systems: [{ name: 'a', solver: { integrator: 'rk5' } }]", "3:46", "unknown integrator `rk5`",
     "did you mean `rk4`?"},
    {"fields: [{ name: 'wind', type: 'uniform' }], systems: [{ solver: { trace: 'wnd' } }]", "3:75",
     "unknown field `wnd`", "did you mean `wind`?"},
    {"systems: [{ collide: { algorithm: 'contct' } }]", "3:35",
     "unknown collide algorithm `contct`", "did you mean `contact`?"},
    {"systems: [{ look: { profile: 'gausian' } }]", "3:30", "unknown profile `gausian`",
     "did you mean `gaussian`?"},
    {"systems: [{ look: { blend: 'ad' } }]", "3:28", "unknown blend `ad`", "did you mean `add`?"},
    {"systems: [{ look: { size: '=rdius' } }]", "3:29", "unknown name `rdius`",
     "did you mean `radius`?"},
    {"systems: [{ lok: {} }]", "3:13", "`lok`", "did you mean `look`?"},
    {"systems: [{ name: 'drops' }], emitters: [{ system: 'drps' }]", "3:52",
     "unknown system `drps`", "did you mean `drops`?"},
    {"systems: [{ name: 'a' }], emitters: [{ rate: 3 }]", "3:38", "system", NULL},
    {"systems: [{ name: 'a' }], emitters: [{ system: 'a', rats: 3 }]", "3:53", "`rats`",
     "did you mean `rate`?"},
    {"systems: [{ name: 'a' }], emitters: [{ system: 'a', from: { type: 'shpere' } }]", "3:67",
     "`shpere`", "did you mean `sphere`?"},
    {"systems: [{ name: 'a' }], forces: [{ type: 'drag', systems: ['a', 'b'] }]", "3:67",
     "unknown system `b`", NULL},
    {"systems: [{ name: 'a' }], forces: [{ type: 'drag', systems: 'b' }]", "3:61",
     "unknown system `b`", NULL},
    {"forces: [{ type: 'grvity' }]", "3:18", "unknown force type `grvity`",
     "did you mean `gravity`?"},
    {"forces: [{ strength: 3 }]", "3:10", "type", NULL},
    {"forces: [{ type: 'callback' }]", "3:18", "unknown force type `callback`", NULL},
    {"fields: [{ type: 'callback' }]", "3:18", "unknown field type `callback`", NULL},
    {"forces: [{ type: 'drag', wind: 'w' }]", "3:32", "unknown field `w`", NULL},
    {"fields: [{ type: 'vortx' }]", "3:18", "unknown field type `vortx`", "did you mean `vortex`?"},
    {"colliders: [{ shape: { type: 'plain' } }]", "3:30", "`plain`", "did you mean `plane`?"},
    {"colliders: [{ restitution: 0.5 }]", "3:13", "shape", NULL},
    {"colliders: [{ shape: { type: 'plane' }, restitution: 1.5 }]", "3:54",
     "restitution is 1.5, but must be between 0 and 1", NULL},
    {"links: [{ pattern: { type: 'chain' } }]", "3:9", "system", NULL},
    {"systems: [{ name: 'a' }], links: [{ system: 'a' }]", "3:35", "pattern", NULL},
    {"systems: [{ name: 'a' }], links: [{ system: 'a', pattern: { type: 'chian' } }]", "3:67",
     "unknown pattern `chian`", "did you mean `chain`?"},
    {"systems: [{ name: 'a' }], links: [{ system: 'a', pattern: { type: 'pairs' } }]", "3:59",
     "the key `links` is missing", NULL},
    {"systems: [{ name: 'a' }], links: [{ system: 'b', pattern: { type: 'chain' } }]", "3:45",
     "unknown system `b`", NULL},
    {"systems: [{ name: 'a' }], links: [{ system: 'a', stiffness: -1, pattern: { type: 'chain' } "
     "}]",
     "3:61", "stiffness is -1", NULL},
    {"systems: [{ name: 'a' }], links: [{ system: 'a', pattern: { type: 'sheet', rows: 1 } }]",
     "3:82", "rows is 1", NULL},
    {"systems: [{ name: 'a' }], links: [{ system: 'a', pattern: { type: 'chain', mass: '=t' } }]",
     "3:82", "must be constant", NULL},
    {"systems: [{ name: 'a', solver: { theta: 2 } }]", "3:41", "theta is 2", NULL},
    {"systems: [{ solver: { type: 'sph', pressure: 'wcsp' } }]", "3:46", "unknown pressure `wcsp`",
     "did you mean `wcsph`?"},
    {"systems: [{ solver: { type: 'sph', pressure: 3 } }]", "3:46", "expected a string", NULL},
    {"systems: [{ solver: { type: 'sph', tension: { type: 'csf' } } }]", "3:45",
     "expected a string, found an object", "its parameters stand beside it"},
    {"systems: [{ solver: { type: 'sph', pressure: 'wcsph', mach: 0.5 } }]", "3:61",
     "mach is 0.5, but must be between 1 and 1000", NULL},
    {"systems: [{ solver: { type: 'sph', pressure: 'wcsph', soud: 5 } }]", "3:55", "`soud`",
     "did you mean `sound`?"},
    {"systems: [{ solver: { type: 'sph', friction: 'none' } }]", "3:36", "`friction` in sph",
     "write `viscosity_model`"},
    {"bodies: [{ shape: { type: 'sphere' }, position: [0, 1, 0] }]", "3:39", "`position` in body",
     "write `motion: { at: [x, y, z] }`"},
    {"bodies: [{ shape: { type: 'sphere' }, motion: { rotation: 3 } }]", "3:49",
     "`rotation` in motion", "write `rotate`"},
    {"world: { timestep: 0.1 }", "3:10", "`timestep` in world", "write `max_step`"},
    {"world: { fps: 0 }", "3:15", "fps is 0", NULL},
    {"world: { up: 'w' }", "3:14", "unknown up `w`", NULL},
    {"world: { gravity: [0, 1] }", "3:19", "expected [x, y, z] (m/s^2)", NULL},
    {"world: { fps: '=t' }", "3:15", "must be constant", NULL},
    {"camera: { form: [1, 2, 3] }", "3:11", "`form`", "did you mean `from`?"},
    {"render: { ground: { visble: true } }", "3:21", "`visble`", "did you mean `visible`?"},
    {"render: { sky: 3 }", "3:16", "expected", NULL},
    {"output: { video: 'avi' }", "3:18", "unknown video `avi`", NULL},
    {"emiters: []", "3:1", "`emiters`", "did you mean `emitters`?"},
    {"systems: [{ name: 'a' }, { name: 'a' }]", "3:34", "`a` is the name of an earlier object",
     NULL},
    {"systems: {}", "3:10", "expected", NULL},
    {"systems: [3]", "3:11", "expected", NULL},
};

static void mistakes_are_placed(void)
{
    for (size_t i = 0; i < COUNT_OF(mistakes); ++i) {
        char text[400], place[80];
        snprintf(text, sizeof text, "{ mote: 1,\n\n%s }\n", mistakes[i].line);
        snprintf(place, sizeof place, "scene.json5:%s: error: ", mistakes[i].place);
        Loading loading = loading_with(text, NULL);
        CHECK(loading.status == MOTE_BAD_VALUE && loading.scene != NULL);
        const char *shown = loading.scene ? mote_scene_messages(loading.scene, false) : "";
        CHECK_HOLDS(shown, place);
        CHECK_HOLDS(shown, mistakes[i].message);
        const char *once = strstr(shown, place);
        CHECK(once == NULL || strstr(once + 1, place) == NULL);
        if (mistakes[i].hint != NULL) CHECK_HOLDS(shown, mistakes[i].hint);
        loading_end(&loading);
    }
}

static void all_mistakes_come_at_once(void)
{
    Loading loading = loading_with("{ mote: 1, world: { fps: -1, sed: 3 },\n"
                                   "  systems: [{ look: { opacity: '=agge' } }],\n"
                                   "  forces: [{ type: 'drg' }], render: { width: 0 } }",
                                   NULL);
    const char *shown = mote_scene_messages(loading.scene, false);
    CHECK(loading.status == MOTE_BAD_VALUE);
    CHECK_HOLDS(shown, "scene.json5:1:26: error: fps is -1");
    CHECK_HOLDS(shown, "scene.json5:1:30: error: ");
    CHECK_HOLDS(shown, "unknown name `agge`");
    CHECK_HOLDS(shown, "scene.json5:3:20: error: unknown force type `drg`");
    CHECK_HOLDS(shown, "width is 0");
    loading_end(&loading);
}

static void a_forecast_needs_a_right_scene(void)
{
    Loading loading = loading_with("{ mote: 1, world: { fps: -1 } }", NULL);
    mote_SceneForecast forecast;
    mote_Error error;
    CHECK(mote_scene_forecast(loading.scene, &forecast, &error) == MOTE_BAD_VALUE);
    CHECK(strcmp(forecast.warnings, "") == 0);
    loading_end(&loading);
}

TESTS({"mistakes_are_placed", mistakes_are_placed},
      {"all_mistakes_come_at_once", all_mistakes_come_at_once},
      {"a_forecast_needs_a_right_scene", a_forecast_needs_a_right_scene})
