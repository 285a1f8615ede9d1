/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tokens to a value, by recursive descent:
 *
 *   sum      = product { (+ | -) product }
 *   product  = power { (* | /) power }
 *   power    = primary [ ^ power ]
 *   primary  = NUMBER | - power | ( sum )
 *
 * Probes: calc:operation(operator, left, right, result), calc:error(rest of the text).
 */
#include "calc.h"

#include <math.h>
#include <sdt/probe.h>
#include <stdbool.h>

static bool sum(struct lexer *lexer, double *value);

static double compute(int op, double left, double right)
{
    switch (op) {
    case '+':
        return left + right;
    case '-':
        return left - right;
    case '*':
        return left * right;
    case '/':
        return left / right;
    default:
        return pow(left, right);
    }
}

static double apply(int op, double left, double right)
{
    double result = compute(op, left, right);
    SDT_PROBE(calc, operation, (char)op, left, right, result);
    return result;
}

static bool power(struct lexer *lexer, double *value);

static bool primary(struct lexer *lexer, double *value)
{
    int token = lexer->token;
    *value = lexer->value;
    lexer_next(lexer);
    if (token == NUMBER)
        return true;
    if (token == '-') {
        if (!power(lexer, value))
            return false;
        *value = -*value;
        return true;
    }
    if (token != '(' || !sum(lexer, value) || lexer->token != ')')
        return false;
    lexer_next(lexer);
    return true;
}

static bool power(struct lexer *lexer, double *value)
{
    double exponent;
    if (!primary(lexer, value))
        return false;
    if (lexer->token != '^')
        return true;
    lexer_next(lexer);
    if (!power(lexer, &exponent))
        return false;
    *value = apply('^', *value, exponent);
    return true;
}

static bool product(struct lexer *lexer, double *value)
{
    if (!power(lexer, value))
        return false;
    while (lexer->token == '*' || lexer->token == '/') {
        int op = lexer->token;
        double right;
        lexer_next(lexer);
        if (!power(lexer, &right))
            return false;
        *value = apply(op, *value, right);
    }
    return true;
}

static bool sum(struct lexer *lexer, double *value)
{
    if (!product(lexer, value))
        return false;
    while (lexer->token == '+' || lexer->token == '-') {
        int op = lexer->token;
        double right;
        lexer_next(lexer);
        if (!product(lexer, &right))
            return false;
        *value = apply(op, *value, right);
    }
    return true;
}

int calc_evaluate(const char *text, double *value)
{
    struct lexer lexer = {text, END, 0};
    lexer_next(&lexer);
    if (sum(&lexer, value) && lexer.token == END)
        return 0;
    SDT_PROBE(calc, error, lexer.text);
    return -1;
}
