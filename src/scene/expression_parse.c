/* Compiling expressions: precedence climbing straight into a stack program, folding constants. */
#include "scene/expression.h"

#include "base/text.h"
#include "scene/expression_op.h"
#include "scene/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Compiler {
    const char *text, *at;
    const ExpressionScope *scope;
    ExpressionError *error;
    ExpressionStep steps[EXPRESSION_STEPS];
    size_t count;
    size_t starts[EXPRESSION_STACK]; /* where the program of each value on the stack starts */
    size_t height;
    int depth;
} Compiler;

/* All parsing functions return false after an error. */

__attribute__((format(printf, 4, 5))) static bool fail(Compiler *compiler, const char *at,
                                                       size_t length, const char *format, ...)
{
    ExpressionError *error = compiler->error;
    error->at = (size_t)(at - compiler->text);
    error->length = length;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

__attribute__((format(printf, 2, 3))) static void hint(Compiler *compiler, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(compiler->error->hint, sizeof compiler->error->hint, format, arguments);
    va_end(arguments);
}

/* ---- characters ---- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    if (!starts_name(*at)) return 0;
    while (starts_name(at[length]) || is_digit(at[length]) ||
           (at[length] == '.' && starts_name(at[length + 1])))
        ++length;
    return length;
}

static void skip_space(Compiler *compiler)
{
    while (is_space(*compiler->at)) ++compiler->at;
}

/* Takes `token` if it stands here. */
static bool take(Compiler *compiler, const char *token)
{
    skip_space(compiler);
    size_t length = strlen(token);
    if (strncmp(compiler->at, token, length) != 0) return false;
    compiler->at += length;
    return true;
}

/* What stands here, for messages. */
static size_t found_length(const char *at)
{
    size_t name = name_length(at);
    if (name == 0 && *at != '\0') name = 1;
    return name < 40 ? name : 40;
}

static bool fail_expected(Compiler *compiler, const char *what)
{
    skip_space(compiler);
    size_t length = found_length(compiler->at);
    if (length == 0)
        return fail(compiler, compiler->at, 0, "expected %s, but the expression ends", what);
    return fail(compiler, compiler->at, length, "expected %s, found `%.*s`", what, (int)length,
                compiler->at);
}

/* ---- the program ---- */

static bool fail_long(Compiler *compiler)
{
    return fail(compiler, compiler->at, 0, "the expression is too long or nested too deeply");
}

static bool push(Compiler *compiler, ExpressionStep step)
{
    bool full = compiler->count == EXPRESSION_STEPS || compiler->height == EXPRESSION_STACK;
    if (full) return fail_long(compiler);
    compiler->starts[compiler->height++] = compiler->count;
    compiler->steps[compiler->count++] = step;
    return true;
}

static bool push_constant(Compiler *compiler, double value)
{
    return push(compiler, (ExpressionStep){.op = EXPRESSION_OP_CONSTANT, .value = value});
}

/* The value's program is one constant. */
static bool is_constant(const Compiler *compiler, size_t value)
{
    size_t start = compiler->starts[value];
    size_t end = value + 1 < compiler->height ? compiler->starts[value + 1] : compiler->count;
    return end - start == 1 && compiler->steps[start].op == EXPRESSION_OP_CONSTANT;
}

/* condition ? a : b with a constant condition is one of the two. */
static void choose(Compiler *compiler, size_t condition)
{
    const size_t *starts = compiler->starts + condition;
    bool first = compiler->steps[starts[0]].value != 0;
    size_t from = first ? starts[1] : starts[2], end = first ? starts[2] : compiler->count;
    memmove(compiler->steps + starts[0], compiler->steps + from,
            (end - from) * sizeof(ExpressionStep));
    compiler->count = starts[0] + (end - from);
    compiler->height = condition + 1;
}

static void fold(Compiler *compiler, size_t first, int arity, ExpressionOp op)
{
    double values[3] = {0};
    for (int i = 0; i < arity; ++i)
        values[i] = compiler->steps[compiler->starts[first + (size_t)i]].value;
    expression_ops[op].run(1, &values[0], &values[1], &values[2]);
    compiler->count = compiler->starts[first] + 1;
    compiler->steps[compiler->starts[first]] =
        (ExpressionStep){.op = EXPRESSION_OP_CONSTANT, .value = values[0]};
    compiler->height = first + 1;
}

static bool apply(Compiler *compiler, ExpressionOp op)
{
    int arity = expression_ops[op].arity;
    size_t first = compiler->height - (size_t)arity;
    if (op == EXPRESSION_OP_SELECT && is_constant(compiler, first)) {
        choose(compiler, first);
        return true;
    }
    bool all_constant = true;
    for (size_t i = first; i < compiler->height; ++i)
        all_constant = all_constant && is_constant(compiler, i);
    if (all_constant) {
        fold(compiler, first, arity, op);
        return true;
    }
    if (compiler->count == EXPRESSION_STEPS) return fail_long(compiler);
    compiler->steps[compiler->count++] = (ExpressionStep){.op = (uint16_t)op};
    compiler->height = first + 1;
    return true;
}

/* ---- names and functions ---- */

typedef struct Constant {
    const char *name;
    double value;
} Constant;

static const Constant constants[] = {
    {"pi", 3.14159265358979323846}, {"tau", 6.28318530717958647693}, {"e", 2.71828182845904523536}};
enum { CONSTANTS = sizeof constants / sizeof constants[0] };

static bool same_name(const char *name, const char *at, size_t length)
{
    return strncmp(name, at, length) == 0 && name[length] == '\0';
}

static const Constant *find_constant(const char *at, size_t length)
{
    for (size_t i = 0; i < CONSTANTS; ++i)
        if (same_name(constants[i].name, at, length)) return &constants[i];
    return NULL;
}

/* EXPRESSION_OP_COUNT when there is none. */
static ExpressionOp find_function(const char *at, size_t length)
{
    int op = EXPRESSION_OP_FIRST_FUNCTION;
    while (op < EXPRESSION_OP_COUNT && !same_name(expression_ops[op].name, at, length)) ++op;
    return (ExpressionOp)op;
}

bool expression_is_reserved(const char *name)
{
    size_t length = strlen(name);
    return find_constant(name, length) != NULL || find_function(name, length) < EXPRESSION_OP_COUNT;
}

static const char *function_name(const void *context, size_t i)
{
    (void)context;
    size_t op = EXPRESSION_OP_FIRST_FUNCTION + i;
    return op < EXPRESSION_OP_COUNT ? expression_ops[op].name : NULL;
}

/* All names that could be meant: the scopes', then the constants. */
static const char *known_name(const void *context, size_t i)
{
    for (const ExpressionScope *scope = context; scope != NULL; scope = scope->outer) {
        if (i < scope->count) return scope->names[i].name;
        i -= scope->count;
    }
    return i < CONSTANTS ? constants[i].name : NULL;
}

static void hint_names(Compiler *compiler, const char *what, const char *word,
                       const char *(*name)(const void *, size_t))
{
    char list[240] = "";
    size_t size = 0;
    const char *nearest = text_nearest(word, name, compiler->scope), *candidate;
    for (size_t i = 0; (candidate = name(compiler->scope, i)) != NULL && size < sizeof list; ++i)
        size +=
            (size_t)snprintf(list + size, sizeof list - size, "%s%s", i > 0 ? ", " : "", candidate);
    if (nearest != NULL)
        hint(compiler, "did you mean `%s`?", nearest);
    else if (size < sizeof list)
        hint(compiler, "known %s: %s", what, list);
}

static bool fail_unknown(Compiler *compiler, const char *at, size_t length, bool called)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
    fail(compiler, at, length, "unknown %s `%s`", called ? "function" : "name", word);
    hint_names(compiler, called ? "functions" : "names", word, called ? function_name : known_name);
    return false;
}

static bool parse_condition(Compiler *compiler);

static bool takes_many(ExpressionOp op)
{
    return op == EXPRESSION_OP_min || op == EXPRESSION_OP_max;
}

/* Arguments of min and max are combined two by two. */
static bool parse_arguments(Compiler *compiler, ExpressionOp op, int *count)
{
    bool folds = takes_many(op);
    *count = 0;
    if (take(compiler, ")")) return true;
    for (;;) {
        if (!parse_condition(compiler)) return false;
        if (++*count >= 2 && folds && !apply(compiler, op)) return false;
        if (*count > expression_ops[op].arity && !folds) --compiler->height; /* reported later */
        if (take(compiler, ")")) return true;
        if (!take(compiler, ",")) return fail_expected(compiler, "`,` or `)`");
    }
}

static bool parse_call(Compiler *compiler, const char *at, size_t length)
{
    ExpressionOp op = find_function(at, length);
    if (op == EXPRESSION_OP_COUNT) return fail_unknown(compiler, at, length, true);
    int count, arity = expression_ops[op].arity;
    if (!parse_arguments(compiler, op, &count)) return false;
    bool folds = takes_many(op);
    if (folds && count >= 2) return true;
    if (count != arity)
        return fail(compiler, at, length, "%s takes %d number%s%s, found %d",
                    expression_ops[op].name, arity, arity == 1 ? "" : "s", folds ? " or more" : "",
                    count);
    return apply(compiler, op);
}

static bool parse_name(Compiler *compiler)
{
    const char *at = compiler->at;
    size_t length = name_length(at);
    int shown = (int)(length < 60 ? length : 60);
    compiler->at += length;
    if (take(compiler, "(")) return parse_call(compiler, at, length);
    const Constant *constant = find_constant(at, length);
    if (constant != NULL) return push_constant(compiler, constant->value);
    const ExpressionName *name = expression_name(compiler->scope, at, length);
    if (name == NULL && find_function(at, length) < EXPRESSION_OP_COUNT)
        return fail(compiler, at, length, "%.*s is a function: write %.*s(...)", shown, at, shown,
                    at);
    if (name == NULL) return fail_unknown(compiler, at, length, false);
    if (name->text != NULL)
        return fail(compiler, at, length, "`%.*s` is a string, not a number", shown, at);
    if (name->slot == EXPRESSION_CONSTANT) return push_constant(compiler, name->value);
    return push(compiler, (ExpressionStep){.op = EXPRESSION_OP_SLOT, .slot = (uint16_t)name->slot});
}

/* ---- the grammar ---- */

static bool parse_unary(Compiler *compiler);

static bool parse_number(Compiler *compiler)
{
    NumberRead number = number_read(compiler->at);
    if (number.length == 0) {
        bool power =
            *compiler->at == '*' && compiler->at > compiler->text && compiler->at[-1] == '*';
        fail_expected(compiler, "a number, a name or `(`");
        if (power) hint(compiler, "a power is written x^y");
        return false;
    }
    if (number.problem != NULL)
        return fail(compiler, compiler->at, number.length, "this number %s", number.problem);
    compiler->at += number.length;
    return push_constant(compiler, number.value);
}

static bool parse_primary(Compiler *compiler)
{
    skip_space(compiler);
    if (starts_name(*compiler->at)) return parse_name(compiler);
    const char *open = compiler->at;
    if (!take(compiler, "(")) return parse_number(compiler);
    if (!parse_condition(compiler)) return false;
    if (take(compiler, ")")) return true;
    skip_space(compiler);
    if (*compiler->at == '\0') return fail(compiler, open, 1, "this `(` is never closed");
    return fail_expected(compiler, "an operator or `)`");
}

static bool enter(Compiler *compiler)
{
    if (++compiler->depth <= EXPRESSION_DEEPEST) return true;
    return fail_long(compiler);
}

static bool parse_power(Compiler *compiler)
{
    if (!parse_primary(compiler)) return false;
    if (!take(compiler, "^")) return true;
    return parse_unary(compiler) && apply(compiler, EXPRESSION_OP_POWER);
}

static bool parse_sign(Compiler *compiler)
{
    skip_space(compiler);
    bool not_equal = compiler->at[0] == '!' && compiler->at[1] == '=';
    if (take(compiler, "-")) return parse_unary(compiler) && apply(compiler, EXPRESSION_OP_NEGATE);
    if (take(compiler, "+")) return parse_unary(compiler);
    if (!not_equal && take(compiler, "!"))
        return parse_unary(compiler) && apply(compiler, EXPRESSION_OP_NOT);
    return parse_power(compiler);
}

static bool parse_unary(Compiler *compiler)
{
    bool good = enter(compiler) && parse_sign(compiler);
    --compiler->depth;
    return good;
}

/* Binary operators from the lowest precedence to the highest; within a level, a token that starts
 * with another one stands before it. */
typedef struct Operator {
    const char *token;
    ExpressionOp op;
    int level;
} Operator;

enum { LEVEL_OR, LEVEL_AND, LEVEL_EQUAL, LEVEL_ORDER, LEVEL_SUM, LEVEL_PRODUCT, LEVELS };

static const Operator operators[] = {
    {"||", EXPRESSION_OP_OR, LEVEL_OR},
    {"&&", EXPRESSION_OP_AND, LEVEL_AND},
    {"==", EXPRESSION_OP_EQUAL, LEVEL_EQUAL},
    {"!=", EXPRESSION_OP_UNEQUAL, LEVEL_EQUAL},
    {"<=", EXPRESSION_OP_LESS_EQUAL, LEVEL_ORDER},
    {">=", EXPRESSION_OP_GREATER_EQUAL, LEVEL_ORDER},
    {"<", EXPRESSION_OP_LESS, LEVEL_ORDER},
    {">", EXPRESSION_OP_GREATER, LEVEL_ORDER},
    {"+", EXPRESSION_OP_ADD, LEVEL_SUM},
    {"-", EXPRESSION_OP_SUBTRACT, LEVEL_SUM},
    {"*", EXPRESSION_OP_MULTIPLY, LEVEL_PRODUCT},
    {"/", EXPRESSION_OP_DIVIDE, LEVEL_PRODUCT},
    {"%", EXPRESSION_OP_REMAINDER, LEVEL_PRODUCT},
};

static const Operator *take_operator(Compiler *compiler, int level)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; ++i)
        if (operators[i].level == level && take(compiler, operators[i].token)) return &operators[i];
    return NULL;
}

static bool parse_binary(Compiler *compiler, int level)
{
    if (level == LEVELS) return parse_unary(compiler);
    if (!parse_binary(compiler, level + 1)) return false;
    bool chains = level != LEVEL_EQUAL && level != LEVEL_ORDER, again = false;
    const Operator *found;
    while ((found = take_operator(compiler, level)) != NULL) {
        if (again && !chains) {
            size_t length = strlen(found->token);
            fail(compiler, compiler->at - length, length, "comparisons cannot be chained");
            hint(compiler, "write a < b && b < c");
            return false;
        }
        if (!parse_binary(compiler, level + 1) || !apply(compiler, found->op)) return false;
        again = true;
    }
    return true;
}

static bool parse_choice(Compiler *compiler)
{
    if (!parse_binary(compiler, LEVEL_OR)) return false;
    if (!take(compiler, "?")) return true;
    if (!parse_condition(compiler)) return false;
    if (!take(compiler, ":")) return fail_expected(compiler, "`:`");
    return parse_condition(compiler) && apply(compiler, EXPRESSION_OP_SELECT);
}

static bool parse_condition(Compiler *compiler)
{
    bool good = enter(compiler) && parse_choice(compiler);
    --compiler->depth;
    return good;
}

static bool parse_all(Compiler *compiler)
{
    if (strlen(compiler->text) > EXPRESSION_LONGEST)
        return fail(compiler, compiler->text, 0, "the expression has more than %d characters",
                    EXPRESSION_LONGEST);
    if (!parse_condition(compiler)) return false;
    skip_space(compiler);
    if (*compiler->at == '\0') return true;
    bool assignment = *compiler->at == '=';
    fail_expected(compiler, "an operator or the end");
    if (assignment) hint(compiler, "a comparison is written a == b");
    return false;
}

mote_Status expression_compile(Store *store, const char *text, const ExpressionScope *scope,
                               Expression *expression, ExpressionError *error)
{
    Compiler compiler; /* its arrays are filled as they are used */
    compiler.text = compiler.at = text;
    compiler.scope = scope;
    compiler.error = error;
    compiler.count = compiler.height = 0;
    compiler.depth = 0;
    *error = (ExpressionError){.hint = ""};
    if (!parse_all(&compiler)) return MOTE_BAD_VALUE;
    ExpressionStep *steps = store_take(store, compiler.count * sizeof *steps);
    if (steps == NULL) return MOTE_NO_MEMORY;
    memcpy(steps, compiler.steps, compiler.count * sizeof *steps);
    *expression = (Expression){.steps = steps, .count = compiler.count};
    for (size_t i = 0; i < compiler.count; ++i)
        if (steps[i].op == EXPRESSION_OP_SLOT) expression->slots |= (uint64_t)1 << steps[i].slot;
    expression->constant = compiler.count == 1 && steps[0].op == EXPRESSION_OP_CONSTANT;
    expression->value = steps[0].value;
    return MOTE_OK;
}
