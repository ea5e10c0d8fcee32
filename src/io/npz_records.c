/* The records of a zip archive (APPNOTE.TXT 4.3), with zip64 fields where sizes need them and
 * padding that aligns contents. */
#include "io/npz.h"

#include <string.h>

enum { ALIGNMENT = 64, FIELD_HEAD = 4, PADDING_LEAST = 6, DATE_1980 = 0x21 };

uint64_t npz_place(NpzPlace *member, uint64_t offset, bool force_zip64)
{
    member->wide_sizes = force_zip64 || member->size >= ZIP_ELSEWHERE;
    member->wide_offset = force_zip64 || offset >= ZIP_ELSEWHERE;
    uint64_t least =
        offset + ZIP_LOCAL_SIZE + member->name_size + (member->wide_sizes ? 20 : 0) + PADDING_LEAST;
    member->header = offset;
    member->content = (least + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    member->padding = PADDING_LEAST + (size_t)(member->content - least);
    return member->content + member->size;
}

/* From the needed version to the sizes: the part that both headers of a member share. */
static unsigned char *put_shared(unsigned char *at, const NpzPlace *member)
{
    bool plain = true;
    for (const char *c = member->item->array.name; *c != '\0'; ++c)
        plain = plain && (unsigned char)*c < 0x80;
    uint64_t size = member->wide_sizes ? ZIP_ELSEWHERE : member->size;
    at = zip_put(at, member->wide_sizes || member->wide_offset ? 45 : 20, 2);
    at = zip_put(at, plain ? 0 : ZIP_FLAG_UTF8, 2);
    at = zip_put(at, ZIP_STORED, 2);
    at = zip_put(at, 0, 2); /* midnight of a fixed day: same contents, same bytes */
    at = zip_put(at, DATE_1980, 2);
    at = zip_put(at, member->crc, 4);
    at = zip_put(at, size, 4);
    at = zip_put(at, size, 4);
    return zip_put(at, member->name_size, 2);
}

static unsigned char *put_name(unsigned char *at, const NpzPlace *member)
{
    size_t length = strlen(member->item->array.name);
    memcpy(at, member->item->array.name, length);
    memcpy(at + length, ".npy", member->name_size - length);
    return at + member->name_size;
}

unsigned char *npz_put_local(unsigned char *at, const NpzPlace *member)
{
    size_t wide = member->wide_sizes ? FIELD_HEAD + 16 : 0;
    at = zip_put(at, ZIP_LOCAL, 4);
    at = put_shared(at, member);
    at = zip_put(at, wide + member->padding, 2);
    at = put_name(at, member);
    if (member->wide_sizes) {
        at = zip_put(at, ZIP_FIELD64, 2);
        at = zip_put(at, 16, 2);
        at = zip_put(at, member->size, 8);
        at = zip_put(at, member->size, 8);
    }
    at = zip_put(at, ZIP_FIELD_PADDING, 2);
    at = zip_put(at, member->padding - FIELD_HEAD, 2);
    at = zip_put(at, ALIGNMENT, 2);
    memset(at, 0, member->padding - PADDING_LEAST);
    at += member->padding - PADDING_LEAST;
    memcpy(at, member->npy, member->npy_size);
    return at + member->npy_size;
}

unsigned char *npz_put_central(unsigned char *at, const NpzPlace *member)
{
    size_t wide = (member->wide_sizes ? 16u : 0u) + (member->wide_offset ? 8u : 0u);
    at = zip_put(at, ZIP_CENTRAL, 4);
    at = zip_put(at, 3 << 8 | 45, 2); /* made on Unix, by version 4.5 */
    at = put_shared(at, member);
    at = zip_put(at, wide > 0 ? FIELD_HEAD + wide : 0, 2);
    at = zip_put(at, 0, 2 + 2 + 2); /* comment, disk, internal attributes */
    at = zip_put(at, 0100644u << 16, 4);
    at = zip_put(at, member->wide_offset ? ZIP_ELSEWHERE : member->header, 4);
    at = put_name(at, member);
    if (wide == 0) return at;
    at = zip_put(at, ZIP_FIELD64, 2);
    at = zip_put(at, wide, 2);
    if (member->wide_sizes) {
        at = zip_put(at, member->size, 8);
        at = zip_put(at, member->size, 8);
    }
    return member->wide_offset ? zip_put(at, member->header, 8) : at;
}

static unsigned char *put_end64(unsigned char *at, const NpzEnd *end)
{
    at = zip_put(at, ZIP_END64, 4);
    at = zip_put(at, ZIP_END64_SIZE - 12, 8);
    at = zip_put(at, 3 << 8 | 45, 2);
    at = zip_put(at, 45, 2);
    at = zip_put(at, 0, 8); /* disks */
    at = zip_put(at, end->members, 8);
    at = zip_put(at, end->members, 8);
    at = zip_put(at, end->size, 8);
    at = zip_put(at, end->offset, 8);
    at = zip_put(at, ZIP_LOCATOR64, 4);
    at = zip_put(at, 0, 4);
    at = zip_put(at, end->offset + end->size, 8);
    return zip_put(at, 1, 4);
}

unsigned char *npz_put_end(unsigned char *at, const NpzEnd *end)
{
    bool wide = end->force_zip64 || end->members >= 0xffff || end->size >= ZIP_ELSEWHERE ||
                end->offset >= ZIP_ELSEWHERE;
    if (wide) at = put_end64(at, end);
    at = zip_put(at, ZIP_END, 4);
    at = zip_put(at, 0, 4); /* disks */
    at = zip_put(at, wide ? 0xffff : end->members, 2);
    at = zip_put(at, wide ? 0xffff : end->members, 2);
    at = zip_put(at, wide ? ZIP_ELSEWHERE : end->size, 4);
    at = zip_put(at, wide ? ZIP_ELSEWHERE : end->offset, 4);
    return zip_put(at, 0, 2);
}
