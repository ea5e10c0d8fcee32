/* mote view: a scene while it is simulated, or a run, in the browser. */
#include "base/status.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/scene_files.h"
#include "cli/threads.h"
#include "plot/overlay.h"
#include "view/server.h"

#include <mote/run.h>

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct ViewOptions {
    TextList settings;
    int64_t threads, port;
    const char *bind;
    bool no_open, paused;
} ViewOptions;

typedef struct View {
    const ViewOptions *options;
    mote_Tasks *tasks;
    ViewPost *post;
    ViewSession *session;
    ViewServer *server;
    char files[256]; /* folder of pictures and videos; "": not made */
} View;

/* ---- the folder of what is handed out ---- */

static bool make_folder(View *view)
{
    const char *place = getenv("TMPDIR");
    snprintf(view->files, sizeof view->files, "%.200s/mote-view-XXXXXX",
             place != NULL && place[0] != '\0' ? place : "/tmp");
    if (mkdtemp(view->files) != NULL) return true;
    view->files[0] = '\0';
    return false;
}

static void remove_folder(const View *view)
{
    DIR *list = view->files[0] != '\0' ? opendir(view->files) : NULL;
    if (list == NULL) return;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] != '.') unlinkat(dirfd(list), entry->d_name, 0);
    closedir(list);
    rmdir(view->files);
}

/* ---- what is shown ---- */

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* A run's folder, a scene's file, or the name of one that comes along. */
static int choose(const View *view, const char *given, ViewSessionDef *def)
{
    const ViewOptions *options = view->options;
    *def = (ViewSessionDef){.settings = options->settings.items,
                            .setting_count = options->settings.count,
                            .tasks = view->tasks,
                            .overlay = legends_draw,
                            .files = view->files,
                            .paused = options->paused,
                            .speed = 1,
                            .post = view->post};
    if (given == NULL) given = "demo";
    if (is_folder(given) && mote_run_is_there(given)) {
        def->folder = given;
        if (options->settings.count == 0) return EXIT_DONE;
        return message_usage("--set changes a scene, and %s is a run that has been made", given);
    }
    if (access(given, R_OK) == 0 && !is_folder(given)) {
        def->path = given;
        return EXIT_DONE;
    }
    def->text = scene_file_text(given);
    def->name = given;
    if (def->text != NULL) return EXIT_DONE;
    if (strpbrk(given, "./") == NULL) return words_fail(WORDS_EXAMPLE, "scene", given);
    message(is_folder(given) ? "%s holds no run; give the folder that a run has written, or a scene"
                             : "cannot read %s; give a scene, or the folder of a run",
            given);
    return EXIT_IO;
}

/* ---- the browser ---- */

/* By itself, so that Ctrl-C ends the view and not the browser; what it says is nobody's. */
static bool spawn_quietly(char *program, char *address)
{
    extern char **environ;
    posix_spawn_file_actions_t quiet;
    posix_spawnattr_t apart;
    pid_t child;
    char *arguments[] = {program, address, NULL};
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&quiet, 1, 2);
    posix_spawnattr_init(&apart);
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP);
    const bool begun = posix_spawnp(&child, program, &quiet, &apart, arguments, environ) == 0;
    if (begun) waitpid(child, NULL, WNOHANG);
    posix_spawnattr_destroy(&apart);
    posix_spawn_file_actions_destroy(&quiet);
    return begun;
}

/* $BROWSER, a list of programs with colons between them, or what the desktop has; nothing where
 * there is no desktop. */
static void open_browser(const char *address)
{
    const bool desktop = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
    const char *own = getenv("BROWSER");
#ifdef __APPLE__
    const char *usual = "open";
#else
    const char *usual = desktop ? "xdg-open" : "";
#endif
    char *copy = strdup(address), *programs = malloc((own != NULL ? strlen(own) : 0) + 16);
    if (copy != NULL && programs != NULL) {
        char *rest = NULL;
        sprintf(programs, "%s:%s", own != NULL ? own : "", usual);
        for (char *p = strtok_r(programs, ":", &rest); p != NULL; p = strtok_r(NULL, ":", &rest))
            if (spawn_quietly(p, copy)) break;
    }
    free(programs);
    free(copy);
}

static void wait_for_the_end(void)
{
    const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};
    while (!interrupt_seen(NULL)) nanosleep(&moment, NULL);
}

/* ---- the command ---- */

static mote_Status start(View *view, const ViewSessionDef *session, mote_Error *error)
{
    ViewServerDef def = {.bind = view->options->bind,
                         .port = (int)view->options->port,
                         .post = view->post,
                         .files = view->files};
    mote_Status status = session_create(session, &view->session, error);
    if (status != MOTE_OK) return status;
    def.session = view->session;
    return server_start(&def, &view->server, error);
}

static int show(View *view, const char *given)
{
    ViewSessionDef session;
    mote_Error error = {0};
    int code = choose(view, given, &session);
    if (code != EXIT_DONE) return code;
    interrupt_catch("ending the view");
    const mote_Status status = start(view, &session, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    if (view->options->bind != NULL)
        message(
            "warning: everybody who can reach %s and has the address below can look, change the "
            "scene, and save it",
            view->options->bind);
    printf("%s\n", server_address(view->server));
    fflush(stdout);
    message("showing %s there; Ctrl-C ends it", session_name(view->session));
    if (!view->options->no_open) open_browser(server_address(view->server));
    wait_for_the_end();
    return EXIT_DONE;
}

static int view_run(const void *values, Given given)
{
    View view = {.options = values};
    int code = threads_start(view.options->threads, &view.tasks);
    if (code != EXIT_DONE) return code;
    view.post = post_create();
    if (view.post == NULL || !make_folder(&view)) {
        message("view: there is no memory, or no room for files in the temporary folder");
        code = EXIT_FAILED;
    } else {
        code = show(&view, given[0]);
    }
    server_stop(view.server);
    session_destroy(view.session);
    post_destroy(view.post);
    remove_folder(&view);
    mote_tasks_destroy(view.tasks);
    return code;
}

#define FLAG(name_, member, doc_)                                                                  \
    {                                                                                              \
        .name = name_, .doc = doc_, .type = OPTION_FLAG, OPTION_HERE(ViewOptions, member)          \
    }
static const Option options[] = {
    OPTION_SET(ViewOptions),
    OPTION_THREADS(ViewOptions),
    FLAG("no-open", no_open, "print the address, and open no browser"),
    FLAG("paused", paused, "wait at the start until play is pressed"),
    {"port", '\0', "N", "listen at this port; without it, at any that is free", OPTION_COUNT,
     OPTION_HERE(ViewOptions, port), .max = 65535},
    {"bind", '\0', "ADDRESS",
     "listen at this address of the machine instead of 127.0.0.1: others can reach it then",
     OPTION_TEXT, OPTION_HERE(ViewOptions, bind)},
    {0}};
static const ViewOptions defaults = {0};
static const Example examples[] = {
    {"view", "the built-in demo, while it is simulated"},
    {"view galaxy", "a scene that comes with the program"},
    {"view my.json5", "a scene of your own, with sliders, plots and an editor"},
    {"view out/demo", "a run, also while it is going on"},
    {"view my.json5 --no-open --port 8000",
     "on another machine; there: ssh -L 8000:127.0.0.1:8000"},
    {0}};
static const Argument arguments[] = {
    {"SCENE|RUN", "a scene, or the folder of a run", WORDS_SCENE, true}, {0}};
const Command command_view = {
    .name = "view",
    .doc = "Show a scene while it is simulated, or a run, in the browser.",
    .details = "Without a scene it shows the built-in demo. The page is served on this machine "
               "alone, at an address that nobody can guess; nothing is written unless you save the "
               "scene there. Ctrl-C ends it. Over ssh: forward the port, and open the address "
               "that is printed.",
    COMMAND_PARTS,
    .run = view_run};
