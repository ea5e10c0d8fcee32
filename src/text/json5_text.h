/* Characters of JSON5: UTF-8, spaces, names, and the escapes inside quotes. */
#ifndef TEXT_JSON5_TEXT_H
#define TEXT_JSON5_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed UTF-8 at the start of `text` that hold no character 0. */
size_t utf8_check(const char *text, size_t size);

/* The character at `at`, which is well-formed; *size: its bytes. */
uint32_t utf8_read(const char *at, size_t *size);

/* Bytes of the white space or the line end at `at`; 0: none. */
size_t json5_space(const char *at);
/* The common cases, without a call. */
static inline bool is_plain_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline bool is_plain_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool json5_starts_name(uint32_t c);
bool json5_continues_name(uint32_t c);

/* One character inside quotes, or one escape. */
typedef struct TextStep {
    size_t read;    /* bytes of the source */
    size_t written; /* bytes of `out`: 0 for a line continuation */
    char out[4];
    const char *problem; /* NULL, or what is wrong with the escape */
} TextStep;

TextStep json5_text_step(const char *at);

#endif
