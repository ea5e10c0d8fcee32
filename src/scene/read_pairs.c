/* Links between any two particles: pairs of numbers or marks, and particles of their own. */
#include "scene/read.h"

#include <stdio.h>
#include <string.h>

/* Numbers of particles, or names that `marks` gives to some. */
static bool read_end(const mote_Scene *scene, const Node *node, const Node *marks, uint64_t *id)
{
    const Reader *reader = scene_reader(scene);
    if (node->type != NODE_TEXT || node_is_expression(node)) return node_count(reader, node, id);
    const Node *mark =
        marks != NULL && marks->type == NODE_OBJECT ? node_find(marks, node->text) : NULL;
    if (mark != NULL) return node_count(reader, mark, id);
    diagnose(reader->diagnostics, node_place(node),
             "there is no mark `%s`; marks give names to particles, as marks: { %s: 12 }",
             node->text, node->text);
    return false;
}

static bool read_link(const mote_Scene *scene, const Node *link, const Node *marks,
                      uint64_t ends[2])
{
    const Reader *reader = scene_reader(scene);
    if (link->type != NODE_ARRAY || link->count != 2) {
        diagnose(reader->diagnostics, node_place(link),
                 "expected [a, b], the numbers or marks of two particles, found %s",
                 link->type == NODE_ARRAY ? "another list" : node_type_name(link->type));
        return false;
    }
    if (!read_end(scene, link->first, marks, &ends[0]) ||
        !read_end(scene, link->last, marks, &ends[1]))
        return false;
    if (ends[0] == ends[1])
        diagnose(reader->diagnostics, node_place(link),
                 "a link joins two particles, not %llu to "
                 "itself",
                 (unsigned long long)ends[0]);
    return ends[0] != ends[1];
}

static const char *keep_place(mote_Scene *scene, const Node *node)
{
    char place[160];
    place_text(node_place(node), place, sizeof place);
    const char *kept = store_text(scene_reader(scene)->store, place, strlen(place));
    return kept != NULL ? kept : "";
}

static void read_ends(mote_Scene *scene, const Node *list, const Node *marks,
                      mote_PairsPattern *pairs)
{
    uint64_t *a = scene_take(scene, list->count * sizeof *a);
    uint64_t *b = scene_take(scene, list->count * sizeof *b);
    const char **places = scene_take(scene, list->count * sizeof *places);
    if (a == NULL || b == NULL || places == NULL) return;
    pairs->a = a, pairs->b = b, pairs->places = places;
    NODE_EACH(link, list)
    {
        uint64_t ends[2];
        if (!read_link(scene, link, marks, ends)) continue;
        a[pairs->count] = ends[0], b[pairs->count] = ends[1];
        places[pairs->count++] = keep_place(scene, link);
    }
}

/* As many lengths as links, or none. */
static void read_rests(mote_Scene *scene, const Node *list, size_t links, mote_PairsPattern *pairs)
{
    const Reader *reader = scene_reader(scene);
    if (!node_expect(reader, list, NODE_ARRAY)) return;
    mote_real *rest = scene_take(scene, list->count * sizeof *rest);
    size_t count = 0;
    if (list->count != links)
        diagnose(reader->diagnostics, node_place(list), "%u rest lengths for %zu links",
                 (unsigned)list->count, links);
    NODE_EACH(length, list)
    {
        double value = 0;
        if (!node_number(reader, length, "m", &value) || rest == NULL) continue;
        if (!(value >= 0))
            diagnose(reader->diagnostics, node_place(length), "a rest length must be 0 m or more");
        rest[count++] = (mote_real)value;
    }
    pairs->rest = rest;
}

static void read_points(mote_Scene *scene, const Node *list, mote_PairsPattern *pairs)
{
    const Reader *reader = scene_reader(scene);
    if (!node_expect(reader, list, NODE_ARRAY)) return;
    mote_Vec3 *points = scene_take(scene, list->count * sizeof *points);
    if (points == NULL) return;
    pairs->points = points;
    NODE_EACH(point, list)
    {
        double at[3] = {0, 0, 0};
        size_t count;
        if (!node_numbers(reader, point, "m", reader->dimension == 2 ? 2 : 3, 3, at, &count))
            continue;
        points[pairs->point_count++] =
            (mote_Vec3){(mote_real)at[0], (mote_real)at[1], (mote_real)at[2]};
    }
}

/* Which of its own particles are anchors. */
static void read_pins(mote_Scene *scene, const Node *list, mote_PairsPattern *pairs)
{
    const Reader *reader = scene_reader(scene);
    uint32_t *pinned = scene_take(scene, pairs->point_count * sizeof *pinned);
    if (!node_expect(reader, list, NODE_ARRAY) || pinned == NULL) return;
    pairs->pinned = pinned;
    NODE_EACH(pin, list)
    {
        uint64_t number;
        if (!node_count(reader, pin, &number)) continue;
        if (number < pairs->point_count)
            pinned[number] = 1;
        else
            diagnose(reader->diagnostics, node_place(pin),
                     "particle %llu cannot be pinned: `points` has %zu, counted from 0",
                     (unsigned long long)number, pairs->point_count);
    }
}

void scene_read_pairs(mote_Scene *scene, const Node *object, mote_PairsPattern *pairs)
{
    const Reader *reader = scene_reader(scene);
    const Node *links = node_require(reader, object, "links"), *rest = node_find(object, "rest");
    const Node *points = node_find(object, "points"), *pin = node_find(object, "pin");
    if (points != NULL) read_points(scene, points, pairs);
    if (pin != NULL) read_pins(scene, pin, pairs);
    if (links == NULL || !node_expect(reader, links, NODE_ARRAY)) return;
    read_ends(scene, links, node_find(object, "marks"), pairs);
    if (rest != NULL) read_rests(scene, rest, links->count, pairs);
}
