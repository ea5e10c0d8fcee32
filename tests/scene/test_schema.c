/* The schema of scenes: JSON for Python's reader, a draft 2020-12 schema for jsonschema, which must
 * accept all scenes of the repository and reject broken ones. Every parameter of every table is in
 * it. */
#include "scene/loading.h"

#include "base/row.h"

#include <sys/wait.h>

static void every_parameter_is_there(void)
{
    Loading loading = loading_good("{mote: 1}");
    const char *schema = mote_scene_schema(loading.scene);
    size_t tables = 0;
    for (size_t f = 0; mote_family(f) != NULL; ++f) {
        size_t count;
        const mote_Row *const *rows = mote_family_rows(mote_family(f), &count);
        for (size_t r = 0; r < count; ++r, ++tables) {
            for (size_t p = 0; p < rows[r]->param_count; ++p) {
                const mote_Param *param = &rows[r]->params[p];
                char wanted[400];
                snprintf(wanted, sizeof wanted, "\"%s\": {\"description\": \"%s", param->name,
                         param->doc);
                CHECK_HOLDS(schema, wanted);
            }
        }
    }
    CHECK(tables > 20);
    CHECK_HOLDS(schema, "\"exclusiveMinimum\": 0");
    CHECK_HOLDS(schema, "frames per second (1/s)\", \"default\": 30");
    CHECK(strstr(schema, "inf") == NULL || strstr(schema, ": inf") == NULL);
    CHECK(strstr(schema, "callback") == NULL);
    loading_end(&loading);
}

/* Exit code of a command, -1 when it was ended otherwise. */
static int exit_code(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void others_read_it(void)
{
    char path[64], command[400];
    Loading loading = loading_good("{mote: 1}");
    snprintf(path, sizeof path, "schema_%d.json", (int)sizeof(mote_real));
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(mote_scene_schema(loading.scene), file) >= 0);
    if (file != NULL) fclose(file);
    loading_end(&loading);
    if (exit_code("command -v python3 >/dev/null") != 0) {
        printf("skipped: no python3\n");
        return;
    }
    snprintf(command, sizeof command,
             "python3 '%s/tests/scene/check_schema.py' %s '%s'/scenes/*.json5", TEST_SOURCE, path,
             TEST_SOURCE);
    int code = exit_code(command);
    if (code == 77) printf("skipped: no jsonschema\n");
    CHECK(code == 0 || code == 77);
    remove(path);
}

/* A scene may tell editors where its schema is; that changes nothing of what is simulated. */
static void scenes_may_name_it(void)
{
    Loading plain = loading_good("{mote: 1}");
    Loading named = loading_good("{'$schema': 'mote.schema.json', mote: 1}");
    Loading wrong = loading_with("{$schema: 1, mote: 1}", NULL);
    CHECK(mote_scene_info(plain.scene).hash == mote_scene_info(named.scene).hash);
    CHECK(wrong.status == MOTE_BAD_VALUE);
    CHECK_HOLDS(mote_scene_schema(plain.scene), "\"$schema\": {\"description\":");
    loading_end(&plain);
    loading_end(&named);
    loading_end(&wrong);
}

/* What help and schema call the default of a name is the row that the solver takes. */
static void named_defaults_are_taken(void)
{
    static const char *const families[][2] = {
        {"pressure", "pressures"}, {"smoothing", "smoothings"}, {"viscosity", "viscosities"},
        {"heat", "heats"},         {"tension", "tensions"},     {"boundary", "boundaries"}};
    size_t count, seen = 0;
    const mote_Row *const *solvers = mote_family_rows("solvers", &count);
    mote_Error error;
    const mote_Row *sph = row_find(solvers, count, "solvers", "solver", "sph", &error);
    for (size_t p = 0; p < sph->param_count; ++p)
        for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f) {
            const mote_Param *param = &sph->params[p];
            const bool named = param->type == MOTE_PARAM_NAME || param->type == MOTE_PARAM_METHOD;
            if (!named || strcmp(param->choices[0], families[f][0]) != 0) continue;
            CHECK(strcmp(param->choices[1], mote_family_rows(families[f][1], &count)[0]->name) ==
                  0);
            ++seen;
        }
    CHECK(seen == sizeof families / sizeof families[0]);
}

TESTS({"every_parameter_is_there", every_parameter_is_there}, {"others_read_it", others_read_it},
      {"scenes_may_name_it", scenes_may_name_it},
      {"named_defaults_are_taken", named_defaults_are_taken})
