/* The tables of presets. */
#include "scene/preset.h"

#include "scene/document.h"

#include <string.h>

typedef struct PresetRow {
    mote_Row head;
    const char *text;   /* the object, as JSON5 */
    const char *render; /* of a sky: members for `render` */
} PresetRow;

#define ROW(name_, doc_) .head = {.name = name_, .doc = doc_}

static const PresetRow looks[] = {
    {ROW("sparks", "glowing metal: streaks that cool from white to red"),
     .text = "{ blend: 'add', brightness: 10, opacity: '=(1-age/life)^1.5',"
             "  color: ['=1', '=0.10+0.5*(1-age/life)^2', '=0.015+0.3*(1-age/life)^5'] }"},
    {ROW("smoke", "puffs that grow and thin out, with light and shadow in them"),
     .text = "{ profile: 'soft', lit: true, scatter: 0.4, motion_blur: false,"
             "  size: '=radius*(1+2.5*age/life)', color: [0.8, 0.8, 0.82],"
             "  opacity: '=0.16*smoothstep(0, 0.05, age/life)*(1-age/life)^1.5' }"},
    {ROW("fire", "flames: the light of soot at 1900 K that cools as it rises"),
     .text = "{ blend: 'add', brightness: 0.5, temperature: '=1950-750*age/life',"
             "  size: '=radius*(1.3-age/life)', opacity: '=smoothstep(0, 0.1, "
             "age/life)*(1-age/life)' }"},
    {ROW("water-drops", "clear drops that catch the light"),
     .text = "{ profile: 'sphere', lit: true, color: [0.42, 0.62, 0.8], opacity: 0.8 }"},
    {ROW("water", "the particles of a liquid: deep blue at rest, white where they are fast"),
     .text = "{ profile: 'sphere', lit: true, motion_blur: false, size: '=1.2*radius',"
             "  color: ['=0.02+0.75*speed/(2+speed)', '=0.14+0.75*speed/(2+speed)',"
             "          '=0.38+0.55*speed/(2+speed)'] }"},
    {ROW("liquid",
         "one clear surface around all particles; `color` is what a particle lets through"),
     .text = "{ profile: 'liquid', motion_blur: false, color: [0.93, 0.98, 0.99] }"},
    {ROW("foam", "white spheres that burst in the end; bubbles darken with their depth"),
     .text =
         "{ profile: 'sphere', lit: true, size: '=radius*min(1, 2*left)',"
         "  color: ['=0.92*exp(-2*depth)', '=0.95*exp(-0.7*depth)', '=0.97*exp(-0.4*depth)'] }"},
    {ROW("snow", "soft flakes that fade as they melt"),
     .text = "{ profile: 'soft', lit: true, scatter: 0.2, color: [0.92, 0.95, 1],"
             "  opacity: '=min(1, 3*(1-age/life))*0.95' }"},
    {ROW("galaxy", "stars: few bright ones, the fast ones blue"),
     .text = "{ blend: 'add', brightness: 0.9, motion_blur: false,"
             "  size: '=radius*(0.55+1.2*mod(id*0.618034, 1)^8)',"
             "  color: ['=1-0.7*speed/(1+speed)', '=0.75-0.25*speed/(1+speed)',"
             "          '=0.5+0.5*speed/(1+speed)'] }"},
    {ROW("diagram", "flat discs without light or blur, for explaining"),
     .text = "{ profile: 'disc', motion_blur: false, lit: false }"},
};

static const PresetRow skies[] = {
    {ROW("day", "deep blue sky, a sun at the side"),
     .text = "{ horizon: [0.36, 0.5, 0.72], zenith: [0.05, 0.16, 0.45], glow: [0.5, 0.42, 0.3] }",
     .render = "{ ambient: [0.15, 0.19, 0.28],"
               "  lights: [{ type: 'sun', toward: [0.75, 0.62, 0.35], color: [1.9, 1.68, 1.32],"
               "             size: 1.2 }] }"},
    {ROW("dusk", "a low sun behind the scene, orange below blue"),
     .text =
         "{ horizon: [0.62, 0.26, 0.12], zenith: [0.025, 0.045, 0.14], glow: [1.8, 0.75, 0.22] }",
     .render = "{ ambient: [0.2, 0.19, 0.27],"
               "  lights: [{ type: 'sun', toward: [-0.55, 0.3, -0.8], color: [1, 0.5, 0.22],"
               "             intensity: 1.8, size: 2 }] }"},
    {ROW("overcast", "grey light from all around"),
     .text = "{ horizon: [0.5, 0.52, 0.55], zenith: [0.36, 0.39, 0.44] }",
     .render = "{ ambient: [0.62, 0.64, 0.68],"
               "  lights: [{ type: 'sun', toward: [0.2, 1, 0.3], color: [0.35, 0.35, 0.34],"
               "             size: 25 }] }"},
    {ROW("night", "dark blue, with a moon"),
     .text = "{ horizon: [0.012, 0.016, 0.03], zenith: [0.002, 0.003, 0.008] }",
     .render = "{ ambient: [0.1, 0.12, 0.2],"
               "  lights: [{ type: 'sun', toward: [-0.5, 0.8, 0.3], color: [0.35, 0.45, 0.7] }] }"},
    {ROW("studio", "a dark room with a key light and a cold rim"),
     .text = "{ horizon: [0.055, 0.06, 0.07], zenith: [0.012, 0.013, 0.017] }",
     .render =
         "{ ambient: [0.22, 0.23, 0.26],"
         "  lights: [{ type: 'sun', toward: [-0.6, 1, 0.7], color: [1, 0.95, 0.88], size: 4 },"
         "           { type: 'sun', toward: [0.8, 0.5, -0.9], color: [0.3, 0.42, 0.7],"
         "             size: 3 }] }"},
    {ROW("black", "nothing behind"), .text = "{ horizon: [0, 0, 0], zenith: [0, 0, 0] }"},
    {ROW("paper", "white, for diagrams"), .text = "{ horizon: [1, 1, 1], zenith: [1, 1, 1] }"},
};

enum { LOOKS = sizeof looks / sizeof looks[0], SKIES = sizeof skies / sizeof skies[0] };

ROW_TABLE(look_presets, &looks[0].head, &looks[1].head, &looks[2].head, &looks[3].head,
          &looks[4].head, &looks[5].head, &looks[6].head, &looks[7].head, &looks[8].head,
          &looks[9].head)

ROW_TABLE(sky_presets, &skies[0].head, &skies[1].head, &skies[2].head, &skies[3].head,
          &skies[4].head, &skies[5].head, &skies[6].head)

/* ---- objects ---- */

static const Node *no_members(void)
{
    static const Node empty = {.type = NODE_OBJECT};
    return &empty;
}

static const Node *parse(mote_Scene *scene, const char *name, const char *text)
{
    Document *document = scene->document;
    size_t size = strlen(text);
    const char *kept = store_text(document->reader.store, text, size);
    TextSource *source = kept != NULL ? document_add_source(document, name, kept, size) : NULL;
    const Node *node = source != NULL ? json5_parse(&document->json5, source, 0) : NULL;
    return node != NULL ? node : no_members();
}

static void append_copy(mote_Scene *scene, Node *object, const Node *member)
{
    Node *copy = store_take(scene->document->reader.store, sizeof *copy);
    if (copy == NULL) return;
    *copy = *member;
    copy->next = NULL;
    node_append(object, copy);
}

/* Members of `over`, and of `base` those that `over` lacks. */
static const Node *layered(mote_Scene *scene, const Node *base, const Node *over)
{
    Node *object = store_take(scene->document->reader.store, sizeof *object);
    if (object == NULL) return no_members();
    *object = *over;
    object->first = object->last = NULL;
    object->count = 0;
    NODE_EACH(member, over) append_copy(scene, object, member);
    NODE_EACH(member, base)
    if (node_find(over, member->key) == NULL) append_copy(scene, object, member);
    return object;
}

static const char *preset_name(const void *context, size_t i)
{
    size_t count;
    PresetTable *const *table = context;
    const mote_Row *const *rows = (*table)(ISA_V1, &count);
    return i < count ? rows[i]->name : NULL;
}

static const PresetRow *choose(mote_Scene *scene, const Node *name, PresetTable *const *table,
                               const char *what)
{
    size_t index, count;
    NameList names = {preset_name, table};
    if (!node_choice(&scene->document->reader, name, what, names, &index)) return NULL;
    return (const PresetRow *)(const void *)(*table)(ISA_V1, &count)[index];
}

const Node *preset_look(mote_Scene *scene, const char *name)
{
    for (size_t i = 0; name != NULL && i < LOOKS; ++i)
        if (strcmp(looks[i].head.name, name) == 0) return parse(scene, name, looks[i].text);
    return no_members();
}

const Node *preset_object(mote_Scene *scene, const Node *node, PresetTable *table, const char *what,
                          const mote_Row **preset)
{
    *preset = NULL;
    if (node == NULL) return no_members();
    const Node *name = node->type == NODE_TEXT ? node : node_find(node, "preset");
    if (node->type != NODE_TEXT && !node_expect(&scene->document->reader, node, NODE_OBJECT))
        return no_members();
    if (name == NULL) return node;
    const PresetRow *row = choose(scene, name, &table, what);
    if (row == NULL) return node->type == NODE_OBJECT ? node : no_members();
    *preset = &row->head;
    const Node *base = parse(scene, row->head.name, row->text);
    return node->type == NODE_TEXT ? base : layered(scene, base, node);
}

const Node *preset_render(mote_Scene *scene, const mote_Row *sky)
{
    const PresetRow *row = (const PresetRow *)(const void *)sky;
    if (row == NULL || row->render == NULL) return no_members();
    return parse(scene, row->head.name, row->render);
}
