/* The params of a document, as constants for its expressions. */
#include "scene/document_parts.h"

#include <string.h>

static bool check_name(Document *document, const Node *param)
{
    bool time =
        expression_name(document->param_scope.outer, param->key, strlen(param->key)) != NULL;
    if (!time && !expression_is_reserved(param->key)) return true;
    diagnose(&document->diagnostics, node_key_place(param),
             "the param `%s` cannot have the name of a %s", param->key,
             time ? "variable" : "function or constant");
    return false;
}

static bool read_param(Document *document, const Node *param, ExpressionName *name)
{
    *name = (ExpressionName){.name = param->key, .slot = EXPRESSION_CONSTANT};
    if (!check_name(document, param)) return false;
    if (param->type == NODE_TEXT && !node_is_expression(param)) {
        name->text = param->text;
        return true;
    }
    if (param->type == NODE_BOOL) {
        name->value = param->boolean;
        return true;
    }
    if (param->type == NODE_NUMBER || param->type == NODE_TEXT) {
        if (node_number(&document->reader, param, "", &name->value)) return true;
        diagnose_hint(&document->diagnostics, "a param may use the params before it");
        return false;
    }
    diagnose(&document->diagnostics, node_place(param),
             "a param is a number, a string, true or false; found %s", node_type_name(param->type));
    return false;
}

/* A param that is wrong stays known, so that one error does not cause others. */
void document_read_params(Document *document)
{
    const Node *params = node_find(document->root, "params");
    if (params == NULL || !node_expect(&document->reader, params, NODE_OBJECT)) return;
    if (params->count > DOCUMENT_MOST_PARAMS) {
        diagnose(&document->diagnostics, node_place(params), "the scene has more than %d params",
                 DOCUMENT_MOST_PARAMS);
        return;
    }
    document->params = store_take(&document->store, (params->count + 1) * sizeof(ExpressionName));
    if (document->params == NULL) return;
    document->param_scope.names = document->params;
    NODE_EACH(param, params)
    {
        read_param(document, param, &document->params[document->param_scope.count]);
        document->param_scope.count++;
    }
}
