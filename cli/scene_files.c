/* The scenes of the folder scenes/, in the program. A scene's first comment, `// name.json5: what
 * it is. Look at ...`, tells what it is. */
#include "cli/scene_files.h"

#include <stdio.h>
#include <string.h>

typedef struct SceneFile {
    const char *name, *text;
} SceneFile;

#include "scene_files.inc"

enum { FILES = sizeof files / sizeof files[0], DOC_LONGEST = 240 };

/* The comment without marks and the file's own name, to the end of its first sentence. */
static const char *doc_of(const SceneFile *file, char doc[DOC_LONGEST])
{
    const char *start = strstr(file->text, "//");
    if (start == NULL) return "";
    start += 2 + strspn(start + 2, " ");
    const char *own = strstr(start, ".json5: ");
    if (own != NULL && own == start + strlen(file->name)) start = own + strlen(".json5: ");
    const size_t line = strcspn(start, "\n");
    const char *stop = strstr(start, ". ");
    size_t length = stop != NULL && (size_t)(stop - start) < line ? (size_t)(stop - start) : line;
    if (length > 0 && start[length - 1] == '.') --length;
    snprintf(doc, DOC_LONGEST, "%.*s", (int)length, start);
    return doc;
}

FamilyEntry scene_file_at(size_t i)
{
    static char docs[FILES][DOC_LONGEST];
    if (i >= FILES) return (FamilyEntry){0};
    return (FamilyEntry){files[i].name, doc_of(&files[i], docs[i]), NULL};
}

const char *scene_file_text(const char *name)
{
    for (size_t i = 0; i < FILES; ++i)
        if (strcmp(files[i].name, name) == 0) return files[i].text;
    return NULL;
}
