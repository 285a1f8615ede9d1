/* SPDX-License-Identifier: BSD-2-Clause */
/* Text to tokens. Probe calc:token(kind, value): a token was read; value is 0 but for numbers. */
#include "calc.h"

#include <ctype.h>
#include <sdt/probe.h>
#include <stdlib.h>
#include <string.h>

static int read_token(struct lexer *lexer)
{
    char *end;
    if (*lexer->text == '\0')
        return END;
    if (strchr("+-*/^()", *lexer->text))
        return *lexer->text++;
    if (!isdigit((unsigned char)*lexer->text) && *lexer->text != '.')
        return WRONG;
    lexer->value = strtod(lexer->text, &end);
    if (end == lexer->text)
        return WRONG;
    lexer->text = end;
    return NUMBER;
}

void lexer_next(struct lexer *lexer)
{
    while (isspace((unsigned char)*lexer->text))
        lexer->text++;
    lexer->value = 0;
    lexer->token = read_token(lexer);
    SDT_PROBE(calc, token, (char)lexer->token, lexer->value);
}
