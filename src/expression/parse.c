/* Compiling expressions: precedence climbing straight into a stack program, folding constants. */
#include "base/number.h"
#include "expression/compiler.h"

#include <string.h>

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
    if (*compiler->at != *token) return false;
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
        return compiler_fail(compiler, compiler->at, 0, "expected %s, but the expression ends",
                             what);
    return compiler_fail(compiler, compiler->at, length, "expected %s, found `%.*s`", what,
                         (int)length, compiler->at);
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
        if (++*count >= 2 && folds && !compiler_apply(compiler, op)) return false;
        if (*count > expression_ops[op].arity && !folds) --compiler->height; /* reported later */
        if (take(compiler, ")")) return true;
        if (!take(compiler, ",")) return fail_expected(compiler, "`,` or `)`");
    }
}

static bool parse_call(Compiler *compiler, const char *at, size_t length)
{
    ExpressionOp op = compiler_find_function(at, length);
    if (op == EXPRESSION_OP_COUNT) return compiler_fail_unknown(compiler, at, length, true);
    int count, arity = expression_ops[op].arity;
    if (!parse_arguments(compiler, op, &count)) return false;
    bool folds = takes_many(op);
    if (folds && count >= 2) return true;
    if (count != arity)
        return compiler_fail(compiler, at, length, "%s takes %d number%s%s, found %d",
                             expression_ops[op].name, arity, arity == 1 ? "" : "s",
                             folds ? " or more" : "", count);
    return compiler_apply(compiler, op);
}

static bool parse_name(Compiler *compiler)
{
    const char *at = compiler->at;
    size_t length = name_length(at);
    int shown = (int)(length < 60 ? length : 60);
    compiler->at += length;
    if (take(compiler, "(")) return parse_call(compiler, at, length);
    double constant;
    if (compiler_find_constant(at, length, &constant))
        return compiler_push_constant(compiler, constant);
    const ExpressionName *name = expression_name(compiler->scope, at, length);
    if (name == NULL && compiler_find_function(at, length) < EXPRESSION_OP_COUNT)
        return compiler_fail(compiler, at, length, "%.*s is a function: write %.*s(...)", shown, at,
                             shown, at);
    if (name == NULL) return compiler_fail_unknown(compiler, at, length, false);
    if (name->text != NULL)
        return compiler_fail(compiler, at, length, "`%.*s` is a string, not a number", shown, at);
    if (name->slot == EXPRESSION_CONSTANT) return compiler_push_constant(compiler, name->value);
    return compiler_push(compiler,
                         (ExpressionStep){.op = EXPRESSION_OP_SLOT, .slot = (uint16_t)name->slot});
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
        if (power) compiler_hint(compiler, "a power is written x^y");
        return false;
    }
    if (number.problem != NULL)
        return compiler_fail(compiler, compiler->at, number.length, "this number %s",
                             number.problem);
    compiler->at += number.length;
    return compiler_push_constant(compiler, number.value);
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
    if (*compiler->at == '\0') return compiler_fail(compiler, open, 1, "this `(` is never closed");
    return fail_expected(compiler, "an operator or `)`");
}

/* Recursion is bounded, since the text is a user's. */
static bool enter(Compiler *compiler)
{
    if (++compiler->depth <= EXPRESSION_DEEPEST) return true;
    return compiler_fail_long(compiler);
}

/* Right of ^ a sign may stand, and another power: 2^-1, and 2^3^2 is 2^(3^2). Left of it -x^2 is
 * -(x^2), as in mathematics. */
static bool parse_power(Compiler *compiler)
{
    if (!parse_primary(compiler)) return false;
    if (!take(compiler, "^")) return true;
    return parse_unary(compiler) && compiler_apply(compiler, EXPRESSION_OP_POWER);
}

static bool parse_sign(Compiler *compiler)
{
    skip_space(compiler);
    bool not_equal = compiler->at[0] == '!' && compiler->at[1] == '=';
    if (take(compiler, "-"))
        return parse_unary(compiler) && compiler_apply(compiler, EXPRESSION_OP_NEGATE);
    if (take(compiler, "+")) return parse_unary(compiler);
    if (!not_equal && take(compiler, "!"))
        return parse_unary(compiler) && compiler_apply(compiler, EXPRESSION_OP_NOT);
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
    /* In C a < b < c compares a truth value with c, which nobody means. */
    bool chains = level != LEVEL_EQUAL && level != LEVEL_ORDER, again = false;
    const Operator *found;
    while ((found = take_operator(compiler, level)) != NULL) {
        if (again && !chains) {
            size_t length = strlen(found->token);
            compiler_fail(compiler, compiler->at - length, length, "comparisons cannot be chained");
            compiler_hint(compiler, "write a < b && b < c");
            return false;
        }
        if (!parse_binary(compiler, level + 1) || !compiler_apply(compiler, found->op))
            return false;
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
    return parse_condition(compiler) && compiler_apply(compiler, EXPRESSION_OP_SELECT);
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
        return compiler_fail(compiler, compiler->text, 0,
                             "the expression has more than %d characters", EXPRESSION_LONGEST);
    if (!parse_condition(compiler)) return false;
    skip_space(compiler);
    if (*compiler->at == '\0') return true;
    const char c = *compiler->at;
    const bool product = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '(';
    fail_expected(compiler, "an operator or the end");
    if (c == '=') compiler_hint(compiler, "a comparison is written a == b");
    if (product) compiler_hint(compiler, "a product is written a * b");
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
