/* JSON5: every feature of the grammar, positions, and bad input. */
#include "scene/reading.h"

#include "text/json5.h"

#include <locale.h>

typedef struct Parse {
    Memory memory;
    Store store;
    Diagnostics diagnostics;
    TextSource source;
    Node *node;
    TextBuffer text;
} Parse;

static void parse_size(Parse *parse, const char *text, size_t size)
{
    parse->memory = memory_make((mote_Allocator){0});
    parse->store = store_make(&parse->memory);
    parse->diagnostics = diagnostics_make(&parse->memory);
    parse->source = (TextSource){.name = "a.json5", .text = text, .size = size};
    Json5 json5 = {&parse->store, &parse->diagnostics, JSON5_MOST_NODES};
    parse->node = json5_parse(&json5, &parse->source, 0);
    parse->text = text_buffer_make(&parse->memory);
    text_buffer_add(&parse->text, "", 0);
}

static void parse_end(Parse *parse)
{
    text_buffer_free(&parse->text);
    diagnostics_free(&parse->diagnostics);
    store_free(&parse->store);
    CHECK(parse->memory.bytes == 0);
}

static double number_of(const char *text)
{
    Parse parse;
    parse_size(&parse, text, strlen(text));
    CHECK(parse.node != NULL && parse.node->type == NODE_NUMBER);
    double value = parse.node != NULL ? parse.node->number : 0;
    parse_end(&parse);
    return value;
}

#define CHECK_NUMBER(text) CHECK(number_of(#text) == (text))

static void reads_numbers(void)
{
    CHECK_NUMBER(0);
    CHECK_NUMBER(17);
    CHECK_NUMBER(-17);
    CHECK_NUMBER(+17);
    CHECK_NUMBER(.5);
    CHECK_NUMBER(5.);
    CHECK_NUMBER(-.25e+2);
    CHECK_NUMBER(1e3);
    CHECK_NUMBER(1E-3);
    CHECK_NUMBER(0x1F);
    CHECK_NUMBER(-0xdecaf);
    CHECK_NUMBER(0.1);
    CHECK_NUMBER(9.81);
    CHECK_NUMBER(123456789012345.6);
    CHECK_NUMBER(3.14159265358979323846);
    CHECK_NUMBER(1e22);
    CHECK_NUMBER(1e23);
    CHECK_NUMBER(8.5e-23);
    CHECK_NUMBER(4.9406564584124654e-324);
    CHECK_NUMBER(2.2250738585072011e-308); /* the one that hung PHP and Java */
    CHECK_NUMBER(1.7976931348623157e308);
    CHECK_NUMBER(9007199254740993.0);
    CHECK(number_of("9007199254740993") == 9007199254740992.0);
    CHECK_NUMBER(0.000000000000000000000000000000000000000000001);
    CHECK(signbit(number_of("-0")) != 0 && signbit(number_of("-0.0")) != 0);
    CHECK(number_of("Infinity") == (double)INFINITY);
    CHECK(number_of("-Infinity") == (double)-INFINITY);
    CHECK(number_of("+Infinity") == (double)INFINITY);
    CHECK(isnan(number_of("NaN")) && isnan(number_of("-NaN")));
    CHECK(number_of("0xFFFFFFFFFFFFFFFF") == 18446744073709551616.0);
}

/* Random doubles with all digits, and random short decimals, against the C library. */
static void rounds_correctly(void)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 20000; ++i) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        double value;
        memcpy(&value, &state, sizeof value);
        char text[64];
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.17g", value);
        CHECK(number_of(text) == value);
        snprintf(text, sizeof text, "%d.%de%d", (int)(state % 100000), (int)(state >> 40 & 0xffff),
                 (int)(state >> 20 & 63) - 32);
        CHECK(number_of(text) == strtod(text, NULL));
    }
}

static void ignores_the_locale(void)
{
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (int i = 0; i < 3; ++i)
        if (setlocale(LC_ALL, names[i]) != NULL) break;
    CHECK(number_of("3.14159265358979323846") > 3.1415);
    char text[NUMBER_SIZE];
    number_text(0.1, text);
    CHECK(strcmp(text, "0.1") == 0);
    setlocale(LC_ALL, "C");
}

static void check_string(const char *text, const char *wanted)
{
    Parse parse;
    parse_size(&parse, text, strlen(text));
    CHECK(parse.node != NULL && parse.node->type == NODE_TEXT);
    if (parse.node != NULL) CHECK_TEXT(parse.node->text, wanted);
    parse_end(&parse);
}

static void reads_strings(void)
{
    check_string("\"\"", "");
    check_string("'it is \"quoted\"'", "it is \"quoted\"");
    check_string("\"it's\"", "it's");
    check_string("'a\\'b\\\"c\\\\d\\/e'", "a'b\"c\\d/e");
    check_string("'\\b\\f\\n\\r\\t\\v'", "\b\f\n\r\t\v");
    check_string("'\\x41\\xe9\\u00e9\\u20AC'", "A\xc3\xa9\xc3\xa9\xe2\x82\xac");
    check_string("'\\uD83D\\uDE00'", "\xf0\x9f\x98\x80");
    check_string("'one \\\ntwo \\\r\nthree \\\rfour'", "one two three four");
    check_string("'a\\\xe2\x80\xa8"
                 "b\\\xe2\x80\xa9"
                 "c'",
                 "abc");
    check_string("'a\xe2\x80\xa8"
                 "b'",
                 "a\xe2\x80\xa8"
                 "b");
    check_string("'\\a\\z\\\xc3\xa9'", "az\xc3\xa9");
    check_string("'tab\tinside'", "tab\tinside");
}

/* The tree, printed, says whether the structure is right. */
static void check_tree(const char *text, const char *wanted)
{
    Parse parse;
    parse_size(&parse, text, strlen(text));
    if (parse.node != NULL)
        json5_print(parse.node, &parse.text);
    else
        diagnostics_render(&parse.diagnostics, false, &parse.text);
    CHECK_TEXT(parse.text.text, wanted);
    parse_end(&parse);
}

static void reads_structure(void)
{
    check_tree("null", "null\n");
    check_tree(" true ", "true\n");
    check_tree("false//", "false\n");
    check_tree("[]", "[]\n");
    check_tree("{}", "{}\n");
    check_tree("[1,]", "[1]\n");
    check_tree("{a:1,}", "{ a: 1 }\n");
    check_tree("{a:1,'b c':[true,null,],$_x9:{},}", "{\n  a: 1,\n  \"b c\": [true, null],\n"
                                                    "  $_x9: {},\n}\n");
    check_tree("/* a */[ // b\n 1 /**/ , /* * / */ 2 // c\n]", "[1, 2]\n");
    check_tree("[1]// no line end", "[1]\n");
    check_tree("{null:1,true:2,Infinity:3,NaN:4}", "{ null: 1, true: 2, Infinity: 3, NaN: 4 }\n");
    check_tree("{\xc3\xa4\xc3\xb6: 1, \xe6\x97\xa5: 2, \\u0061b: 3}",
               "{ \xc3\xa4\xc3\xb6: 1, \xe6\x97\xa5: 2, ab: 3 }\n");
    check_tree("\xef\xbb\xbf[1\xc2\xa0,\xe3\x80\x80"
               "2\v\f]",
               "[1, 2]\n");
    check_tree("[\"a\\n\\\"\\x07\"]", "[\"a\\n\\\"\\x07\"]\n");
    check_tree("[Infinity,-Infinity,NaN,0.1,1e100]", "[Infinity, -Infinity, NaN, 0.1, 1e+100]\n");
}

typedef struct Bad {
    const char *text;
    const char *shown;
} Bad;

static const Bad bad[] = {
    {"", "a.json5:1:1: error: expected a value, found the end of the file\n\n^\n"},
    {"{\n\ta: 1\n\tb: 2\n}", "a.json5:3:2: error: expected `,` or `}`, found `b`\n\tb: 2\n\t^\n"},
    {"[1 2]", "a.json5:1:4: error: expected `,` or `]`, found `2`\n[1 2]\n   ^\n"},
    {"[1,,2]", "a.json5:1:4: error: expected a value, found `,`\n[1,,2]\n   ^\n"},
    {"[,]", "a.json5:1:2: error: expected a value, found `,`\n[,]\n ^\n"},
    {"{,}", "a.json5:1:2: error: expected a key or `}`, found `,`\n{,}\n ^\n"},
    {"{a 1}", "a.json5:1:4: error: expected `:` after the key, found `1`\n{a 1}\n   ^\n"},
    {"{a:}", "a.json5:1:4: error: expected a value, found `}`\n{a:}\n   ^\n"},
    {"{1a: 2}", "a.json5:1:2: error: expected a key or `}`, found `1a`\n{1a: 2}\n ^~\n"
                "hint: such a key stands in quotes\n"},
    {"[1, [2, 3]", "a.json5:1:1: error: this `[` is never closed\n[1, [2, 3]\n^\n"},
    {"{\r\n  a: {", "a.json5:2:6: error: this `{` is never closed\n  a: {\n     ^\n"},
    /* what people do: a bracket left open, a decimal comma, quotes of a word processor */
    {"{\n  a: { b: 1,\n  c: [2],\n}\n",
     "a.json5:1:1: error: this `{` is never closed\n{\n^\n"
     "hint: the `}` of line 4 closes the `{` of line 2, which is further in: is a `}` missing "
     "there?\n"},
    {"{\n  a: {\n    b: 1\n  },\n", "a.json5:1:1: error: this `{` is never closed\n{\n^\n"},
    {"{a: 4,5}", "a.json5:1:7: error: expected a key or `}`, found `5`\n{a: 4,5}\n      ^\n"
                 "hint: a decimal number has a point: 1.5, not 1,5\n"},
    {"{a: 4, 5: 1}", "a.json5:1:8: error: expected a key or `}`, found `5`\n{a: 4, 5: 1}\n"
                     "       ^\nhint: such a key stands in quotes\n"},
    {"[\xe2\x80\x9cx\xe2\x80\x9d]",
     "a.json5:1:2: error: expected a value, found `\xe2\x80\x9c`\n"
     "[\xe2\x80\x9cx\xe2\x80\x9d]\n ^\nhint: quotes are straight: \" or '\n"},
    {"[1]]", "a.json5:1:4: error: expected the end of the file, found `]`\n[1]]\n   ^\n"},
    {"{a: rk4}", "a.json5:1:5: error: expected a value, found `rk4`\n{a: rk4}\n    ^~~\n"
                 "hint: a string stands in quotes\n"},
    {"[True]", "a.json5:1:2: error: expected a value, found `True`\n[True]\n ^~~~\n"
               "hint: did you mean `true`? (a string stands in quotes)\n"},
    {"'abc", "a.json5:1:1: error: this string is not closed on its line\n'abc\n^\n"},
    {"['abc\n']", "a.json5:1:2: error: this string is not closed on its line\n['abc\n ^\n"},
    {"'\\u12g4'", "a.json5:1:2: error: \\u needs four hexadecimal digits\n'\\u12g4'\n ^~\n"},
    {"'\\x4'", "a.json5:1:2: error: \\x needs two hexadecimal digits\n'\\x4'\n ^~\n"},
    {"'\\uD83D'", "a.json5:1:2: error: half of a surrogate pair is no character\n'\\uD83D'\n"
                  " ^~~~~~\n"},
    {"'\\0'", "a.json5:1:2: error: a string cannot hold the character 0\n'\\0'\n ^~\n"},
    {"'\\7'", "a.json5:1:2: error: a digit cannot be escaped\n'\\7'\n ^~\n"},
    {"/* x", "a.json5:1:1: error: this comment is never closed\n/* x\n^~\n"},
    {"[1 / 2]", "a.json5:1:4: error: expected `,` or `]`, found `/`\n[1 / 2]\n   ^\n"},
    {"01", "a.json5:1:1: error: the number `01` starts with a zero that does not belong there\n"
           "01\n^~\n"},
    {"0x", "a.json5:1:1: error: the number `0x` has no digits\n0x\n^~\n"},
    {"1e999", "a.json5:1:1: error: the number `1e999` is too large for a number\n1e999\n^~~~~\n"},
    {"[.]", "a.json5:1:2: error: expected a number, found `.`\n[.]\n ^\n"},
    {"[- 1]", "a.json5:1:3: error: expected a number, found ` `\n[- 1]\n  ^\n"},
    {"12px", "a.json5:1:3: error: expected `,` after the number, found `px`\n12px\n  ^~\n"
             "hint: numbers stand without their unit\n"},
    {"[2*pi]", "a.json5:1:3: error: expected `,` or `]`, found `*`\n[2*pi]\n  ^\n"
               "hint: a formula stands in quotes and begins with =: \"=2*pi\"\n"},
    {"{ # x\n}", "a.json5:1:3: error: expected a key or `}`, found `#`\n{ # x\n  ^\n"
                 "hint: a comment begins with //\n"},
    {"1.2.3", "a.json5:1:4: error: expected `,` after the number, found `.`\n1.2.3\n   ^\n"},
    {"{a: 1, b: 2, a: 3}", "a.json5:1:14: error: the key `a` stands here twice\n"
                           "{a: 1, b: 2, a: 3}\n             ^\n"
                           "a.json5:1:2: note: it stands here first\n"
                           "{a: 1, b: 2, a: 3}\n ^\n"},
    {"{a: 1,\n 'a': 3, \\u0061: 4}", "a.json5:2:2: error: the key `a` stands here twice\n"
                                     " 'a': 3, \\u0061: 4}\n ^~~\n"
                                     "a.json5:1:2: note: it stands here first\n{a: 1,\n ^\n"
                                     "a.json5:2:10: error: the key `a` stands here twice\n"
                                     " 'a': 3, \\u0061: 4}\n         ^~~~~~\n"
                                     "a.json5:1:2: note: it stands here first\n{a: 1,\n ^\n"},
    {"{a\\x41: 1}", "a.json5:1:3: error: in a name only \\u with four digits may be escaped\n"
                    "{a\\x41: 1}\n  ^\n"},
    {"{a\\u0020: 1}", "a.json5:1:3: error: this character cannot stand in a name\n"
                      "{a\\u0020: 1}\n  ^~~~~~\n"},
    /* columns count characters; a wide one takes two cells of the terminal, an accent none */
    {"\t['\xc3\xa4\xe6\x97\xa5o\xcc\x88' x]",
     "a.json5:1:10: error: expected `,` or `]`, found `x`\n"
     "\t['\xc3\xa4\xe6\x97\xa5o\xcc\x88' x]\n"
     "\t        ^\n"},
    {"[\x1b[31m]", "a.json5:1:2: error: expected a value, found `?`\n[?[31m]\n ^\n"},
    {"[1,\r2,\r\n3,\n@]", "a.json5:4:1: error: expected a value, found `@`\n@]\n^\n"},
};

static void says_what_is_wrong(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        Parse parse;
        parse_size(&parse, bad[i].text, strlen(bad[i].text));
        diagnostics_render(&parse.diagnostics, false, &parse.text);
        CHECK_TEXT(parse.text.text, bad[i].shown);
        parse_end(&parse);
    }
}

static void check_bad_bytes(const char *text, size_t size, const char *wanted)
{
    Parse parse;
    parse_size(&parse, text, size);
    CHECK(parse.node == NULL);
    diagnostics_render(&parse.diagnostics, false, &parse.text);
    CHECK_TEXT(parse.text.text, wanted);
    parse_end(&parse);
}

static void refuses_what_is_not_utf8(void)
{
    check_bad_bytes("['\xff']", 5, "a.json5:1:3: error: byte 0xff is not UTF-8 text\n['?']\n  ^\n");
    check_bad_bytes("\xff\xfe{\0", 4,
                    "a.json5:1:1: error: byte 0xff is not UTF-8 text\n??{\n^\n"
                    "hint: this is UTF-16; save the file as UTF-8\n");
    check_bad_bytes("'\xc0\xaf'", 4, "a.json5:1:2: error: byte 0xc0 is not UTF-8 text\n'?'\n ^\n");
    check_bad_bytes("'\xed\xa0\x80'", 5,
                    "a.json5:1:2: error: byte 0xed is not UTF-8 text\n'?'\n ^\n");
    check_bad_bytes("'\xe2\x82'", 4, "a.json5:1:2: error: byte 0xe2 is not UTF-8 text\n'?'\n ^\n");
    check_bad_bytes("['12345678\0']", 13,
                    "a.json5:1:11: error: byte 0x00 is not UTF-8 text\n['12345678\n          ^\n");
}

static void keeps_places(void)
{
    const char *text = "{ // c\n\ta: [1,\n\t\t'x\\u0041y'],\n  'b': null }";
    Parse parse;
    parse_size(&parse, text, strlen(text));
    const Node *a = node_find(parse.node, "a"), *b = node_find(parse.node, "b");
    Position key = place_position(node_key_place(a)), value = place_position(node_place(a));
    CHECK(key.line == 2 && key.column == 2 && value.line == 2 && value.column == 5);
    const Node *x = node_child(a, 1);
    Position inner = place_position(node_text_place(x, 2, 1));
    CHECK(node_place(x).length == 10 && inner.line == 3 && inner.column == 11);
    CHECK(node_text_place(x, 1, 1).length == 6);
    CHECK(node_key_place(b).length == 3 && place_position(node_key_place(b)).column == 3);
    CHECK(node_child(a, 2) == NULL && node_find(a, "a") == NULL && node_find(NULL, "a") == NULL);
    parse_end(&parse);
}

static void shows_a_window_of_long_lines(void)
{
    enum { SIZE = 3000 };
    static char text[SIZE + 1];
    memset(text, ' ', SIZE);
    text[0] = '[', text[1500] = '@', text[SIZE - 1] = ']';
    Parse parse;
    parse_size(&parse, text, SIZE);
    diagnostics_render(&parse.diagnostics, false, &parse.text);
    const char *shown = parse.text.text;
    CHECK(strncmp(shown, "a.json5:1:1501: error:", 22) == 0);
    const char *line = strchr(shown, '\n') + 1, *caret = strchr(line, '\n') + 1;
    CHECK(strncmp(line, "...", 3) == 0 && strncmp(caret - 4, "...", 3) == 0);
    CHECK(strchr(line, '@') - line == strchr(caret, '^') - caret);
    CHECK(caret - line < 200);
    parse_end(&parse);
}

static void check_limit(char *text, size_t size, const char *message)
{
    Parse parse;
    parse_size(&parse, text, size);
    CHECK(parse.node == NULL && parse.diagnostics.count == 1);
    CHECK(parse.diagnostics.count == 1 && strcmp(parse.diagnostics.kept[0].message, message) == 0);
    diagnostics_render(&parse.diagnostics, false, &parse.text);
    parse_end(&parse);
}

static void limits_depth_and_nodes(void)
{
    enum { DEEP = 1000000, NODES = JSON5_MOST_NODES + 10 };
    char *text = calloc(2 * NODES + 2, 1);
    memset(text, '[', DEEP);
    check_limit(text, DEEP, "lists and objects are nested more than 64 deep");
    for (size_t i = 0; i < DEEP; i += 5) memcpy(text + i, "{'a':", 5);
    check_limit(text, DEEP, "lists and objects are nested more than 64 deep");
    for (size_t i = 0; i < NODES; ++i) text[2 * i] = '1', text[2 * i + 1] = ',';
    text[0] = '[', text[1] = ' ';
    check_limit(text, 2 * NODES, "the scene has more than 4000000 values");
    free(text);
    char nested[140] = "";
    for (int i = 0; i < 64; ++i) nested[i] = '[', nested[127 - i] = ']';
    Parse parse;
    parse_size(&parse, nested, strlen(nested));
    CHECK(parse.node != NULL);
    parse_end(&parse);
}

/* A million keys take linear time: the test would not end otherwise. */
static void finds_duplicates_among_many(void)
{
    enum { KEYS = 300000 };
    TextBuffer text;
    Memory memory = memory_make((mote_Allocator){0});
    text = text_buffer_make(&memory);
    text_buffer_print(&text, "{");
    for (int i = 0; i < KEYS; ++i) text_buffer_print(&text, "k%d:0,", i);
    text_buffer_print(&text, "k777:1}");
    Parse parse;
    parse_size(&parse, text.text, text.size);
    CHECK(parse.diagnostics.errors == 1 && parse.diagnostics.count == 2);
    CHECK(parse.diagnostics.count == 2 &&
          parse.diagnostics.kept[1].place.at == (size_t)(strstr(text.text, "k777:") - text.text));
    parse_end(&parse);
    text_buffer_free(&text);
}

static void counts_what_is_not_kept(void)
{
    TextBuffer text;
    Memory memory = memory_make((mote_Allocator){0});
    text = text_buffer_make(&memory);
    text_buffer_print(&text, "{a:0");
    for (int i = 0; i < 70; ++i) text_buffer_print(&text, ",\na:%d", i);
    text_buffer_print(&text, "}");
    Parse parse;
    parse_size(&parse, text.text, text.size);
    CHECK(parse.diagnostics.errors == 70 && parse.diagnostics.count == 100);
    diagnostics_render(&parse.diagnostics, true, &parse.text);
    CHECK(strstr(parse.text.text, "\033[1;31merror:\033[0m the key") != NULL);
    CHECK(strcmp(parse.text.text + parse.text.size - 16, "... and 20 more\n") == 0);
    parse_end(&parse);
    text_buffer_free(&text);
}

TESTS({"reads_numbers", reads_numbers}, {"rounds_correctly", rounds_correctly},
      {"ignores_the_locale", ignores_the_locale}, {"reads_strings", reads_strings},
      {"reads_structure", reads_structure}, {"says_what_is_wrong", says_what_is_wrong},
      {"refuses_what_is_not_utf8", refuses_what_is_not_utf8}, {"keeps_places", keeps_places},
      {"shows_a_window_of_long_lines", shows_a_window_of_long_lines},
      {"limits_depth_and_nodes", limits_depth_and_nodes},
      {"finds_duplicates_among_many", finds_duplicates_among_many},
      {"counts_what_is_not_kept", counts_what_is_not_kept})
