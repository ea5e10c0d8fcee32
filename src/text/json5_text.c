/* Characters of JSON5. */
#include "text/json5_text.h"

#include <string.h>

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Bytes of the character at `at`, 0 if it is not well-formed (Unicode, table 3-7). */
static size_t utf8_size(const char *at, size_t left)
{
    unsigned char a = (unsigned char)at[0], b = left > 1 ? (unsigned char)at[1] : 0;
    if (a < 0x80) return a != 0;
    size_t size = a >= 0xf0 ? 4 : a >= 0xe0 ? 3 : 2;
    if (a < 0xc2 || a > 0xf4 || left < size) return 0;
    bool overlong = (a == 0xe0 && b < 0xa0) || (a == 0xf0 && b < 0x90);
    bool outside = (a == 0xed && b >= 0xa0) || (a == 0xf4 && b >= 0x90);
    if (overlong || outside) return 0;
    for (size_t i = 1; i < size; ++i)
        if (!is_continuation(at[i])) return 0;
    return size;
}

/* No byte of the eight is 0 or above 127. */
static bool is_plain(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    return ((word | (word - ones)) & tops) == 0;
}

size_t utf8_check(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        if (size - at >= 8 && is_plain(text + at)) {
            at += 8;
            continue;
        }
        size_t step = utf8_size(text + at, size - at);
        if (step == 0) break;
        at += step;
    }
    return at;
}

uint32_t utf8_read(const char *at, size_t *size)
{
    uint32_t a = (unsigned char)at[0];
    *size = a < 0x80 ? 1 : a < 0xe0 ? 2 : a < 0xf0 ? 3 : 4;
    if (*size == 1) return a;
    uint32_t c = a & (0x7fu >> *size);
    for (size_t i = 1; i < *size; ++i) c = c << 6 | ((unsigned char)at[i] & 0x3f);
    return c;
}

/* Writes a character; returns its bytes. */
static size_t utf8_write(uint32_t c, char out[4])
{
    static const unsigned char leads[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; --i, c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(leads[size] | c);
    return size;
}

/* Category Zs and what the specification adds. */
static bool is_wide_space(uint32_t c)
{
    return c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

size_t json5_space(const char *at)
{
    if ((unsigned char)*at < 0x80) return is_plain_space(*at);
    size_t size;
    return is_wide_space(utf8_read(at, &size)) ? size : 0;
}

bool json5_starts_name(uint32_t c)
{
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    bool punctuation = (c >= 0x2000 && c <= 0x206f) || (c >= 0x3000 && c <= 0x3003) ||
                       (c >= 0x3008 && c <= 0x3020) || c == 0xab || c == 0xac || c == 0xbb ||
                       c == 0xbf || c == 0xd7 || c == 0xf7;
    return c >= 0xaa && !punctuation && !is_wide_space(c);
}

bool json5_continues_name(uint32_t c)
{
    return (c >= '0' && c <= '9') || c == 0x200c || c == 0x200d || json5_starts_name(c);
}

/* ---- escapes ---- */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool read_hex(const char *at, int digits, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < digits; ++i) {
        int digit = hex_value(at[i]);
        if (digit < 0) return false;
        *value = *value << 4 | (uint32_t)digit;
    }
    return true;
}

static TextStep step_problem(size_t read, const char *problem)
{
    return (TextStep){.read = read, .problem = problem};
}

static TextStep step_character(size_t read, uint32_t c)
{
    if (c == 0) return step_problem(read, "a string cannot hold the character 0");
    TextStep step = {.read = read};
    step.written = utf8_write(c, step.out);
    return step;
}

static TextStep hex_step(const char *at)
{
    uint32_t c;
    if (!read_hex(at + 2, 2, &c)) return step_problem(2, "\\x needs two hexadecimal digits");
    return step_character(4, c);
}

/* A character above U+FFFF is written as two surrogates. */
static TextStep unicode_step(const char *at)
{
    uint32_t high, low;
    if (!read_hex(at + 2, 4, &high)) return step_problem(2, "\\u needs four hexadecimal digits");
    if (high < 0xd800 || high > 0xdfff) return step_character(6, high);
    bool pair = high < 0xdc00 && at[6] == '\\' && at[7] == 'u' && read_hex(at + 8, 4, &low) &&
                low >= 0xdc00 && low <= 0xdfff;
    if (!pair) return step_problem(6, "half of a surrogate pair is no character");
    return step_character(12, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
}

static TextStep escape_step(const char *at)
{
    static const char letters[] = "bfnrtv", values[] = "\b\f\n\r\t\v";
    char c = at[1];
    if (c == 'x') return hex_step(at);
    if (c == 'u') return unicode_step(at);
    if (c == '\r') return (TextStep){.read = at[2] == '\n' ? 3 : 2};
    if (c == '\n') return (TextStep){.read = 2};
    if (c == '\0') return step_problem(1, "the string is not closed");
    if (c >= '1' && c <= '9') return step_problem(2, "a digit cannot be escaped");
    if (c == '0') return step_problem(2, "a string cannot hold the character 0");
    const char *letter = strchr(letters, c);
    if (letter != NULL) return step_character(2, (uint32_t)values[letter - letters]);
    size_t size;
    uint32_t wide = utf8_read(at + 1, &size);
    if (wide == 0x2028 || wide == 0x2029) return (TextStep){.read = 1 + size};
    return step_character(1 + size, wide);
}

TextStep json5_text_step(const char *at)
{
    if (*at == '\\') return escape_step(at);
    TextStep step = {.problem = NULL};
    utf8_read(at, &step.read);
    step.written = step.read;
    memcpy(step.out, at, step.read);
    return step;
}
