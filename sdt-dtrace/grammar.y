/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The grammar of provider files: DTrace's, with what SystemTap's script lets pass, since people
 * wrote their files for one or the other.
 *
 *   provider NAME {
 *       probe NAME(TYPE [NAME], ...);
 *       probe NAME(TYPE [NAME], ...) : (TYPE [NAME], ...);     the latter is what tracers see
 *       probe NAME(TYPE [NAME] : TYPE [NAME], ...);            the same, argument by argument
 *   };
 *
 * The semicolons may be missing. A name alone may be a type: typedefs are not looked up, since
 * they may be in a header of the program.
 *
 * Outside of providers everything that C allows there is passed over, since the preprocessor puts
 * whole headers there: declarations up to their semicolon, functions up to their closing brace.
 */
%require "3.6"
%define api.prefix {grammar_}
%define api.pure full
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%param {struct parser *parser}

%code requires {
#include "provider.h"

/* From the text to the probes. */
struct parser {
    const struct source *source;
    struct providers *providers;
    size_t at;             /* how far the text is read */
    struct slice provider; /* the one that is being read */
    int last;              /* the token before */
    bool failed;           /* and said so */
};
}

%code {
#include "base/escape_append.h"

#include <stdio.h>
#include <string.h>

static int grammar_lex(GRAMMAR_STYPE *value, struct span *span, struct parser *parser);
static void grammar_error(const struct span *span, struct parser *parser, const char *message);
static void refuse(struct parser *parser, const struct span *span, const char *expected);

/* Where a rule without symbols is, is where the one before it ends. */
#define YYLLOC_DEFAULT(made, parts, count)                                                         \
    ((made).begin = (count) ? YYRHSLOC(parts, 1).begin : YYRHSLOC(parts, 0).end,                   \
     (made).end = (count) ? YYRHSLOC(parts, count).end : YYRHSLOC(parts, 0).end)
}

%union {
    struct slice text;
    size_t count;
}

%token END_OF_FILE 0 "the end of the file"
%token BAD
%token <text> PROVIDER "'provider'" PROBE "'probe'" INLINE TRANSLATOR TYPEDEF EXTERN TRACER
%token <text> ATTRIBUTE TAG BUILTIN "a type" QUALIFIER NAME "a name"
%token <text> NUMBER "a number" STRING "a string"
%token OTHER EQUALS
%token '{' "'{'" '(' "'('" '[' "'['" '*' "'*'" '&' "'&'" ':' "':'" ',' "','" ')' "')'" ']' "']'"
%token ';' "';'" '}' "'}'"

%type <text> name word
%type <count> parameters list

%%

file: %empty | file item;

item: provider | declaration | unfinished provider | tracer_clause | ';';

/* Providers */

provider: PROVIDER name '{' { parser->provider = $name; } probes '}';

probes: %empty | probes probe | probes ';';

probe: PROBE word '(' parameters ')' translation
    {
        struct provider_probe probe = {.provider = parser->provider, .name = $word, .count = $parameters,
                              .declared = @parameters, .place = @word.begin};
        if (provider_add(parser->providers, &probe) != 0)
            parser->failed = true;
    };

translation: %empty | ':' '(' parameters ')';

parameters: %empty { $$ = 0; } | list;

list: parameter
    {
        /* (void) is no argument. */
        size_t length = @parameter.end - @parameter.begin;
        const uint8_t *text = parser->source->text.data + @parameter.begin;
        $$ = length == 4 && !memcmp(text, "void", 4) ? 0 : 1;
    }
    | list ',' parameter { $$ = $1 + 1; };

parameter: declared | declared ':' declared;

/* One thing declared as in C, with or without a name */

declared: qualifiers type pointers declarator;

qualifiers: %empty | qualifiers QUALIFIER;

type: builtin | named;

builtin: BUILTIN | builtin BUILTIN | builtin QUALIFIER;

named: name | TAG name | named QUALIFIER;

pointers: %empty | pointers pointer;

pointer: '*' qualifiers | '&' qualifiers;

declarator: %empty | name suffixes | suffix suffixes | nested suffixes;

nested: '(' pointer pointers declarator ')';

suffixes: %empty | suffixes suffix;

suffix: '[' size ']' | '(' parameters ')';

size: %empty | size token | size STRING | size TAG | size EQUALS;

/*
 * What is passed over: C, as far as it takes to tell where a declaration ends. If a provider comes
 * first, the semicolon was forgotten.
 *
 * A block ends a function if it follows parentheses, those of attributes aside. Elsewhere it is
 * part of a declaration, which goes on to its semicolon. After mere names it is not C: a misspelt
 * `provider`, or a clause for a tracer.
 */

declaration: names ';' | words ';' | call ';' | tagged ';' | value ';' | call block
    | linkage block | block
    | names '{'
    {
        refuse(parser, &@names, "; expected 'provider' or a declaration");
        YYABORT;
    };

/* For example an undefined macro. */
unfinished: names | call;

names: NAME | attribute | square | names not_keyword | names attribute | names square | names ',';

words: keyword | EXTERN | linkage token | names keyword | names EXTERN | call token
    | call ',' | tagged ',' | tagged square | tagged block | words token | words attribute
    | words square | words ',' | words block;

call: names paren | words paren | tagged paren | call paren | call square | call attribute;

tagged: TAG | linkage TAG | names TAG | words TAG | call TAG | tagged TAG | tagged token
    | tagged attribute;

value: TRANSLATOR | names EQUALS | words EQUALS | call EQUALS | tagged EQUALS | value token
    | value STRING | value TAG | value attribute | value paren | value square | value block
    | value ',' | value EQUALS;

linkage: EXTERN STRING;

attribute: ATTRIBUTE paren;

paren: '(' content ')';

square: '[' content ']';

block: '{' content '}';

content: %empty | content token | content STRING | content TAG | content attribute
    | content paren | content square | content block | content ',' | content ';'
    | content EQUALS | content PROVIDER;

token: keyword | EXTERN | TRANSLATOR | not_keyword;

keyword: TYPEDEF | INLINE | QUALIFIER | BUILTIN;

not_keyword: NAME | NUMBER | OTHER | ':' | '*' | '&' | TRACER | PROBE;

/* A configure script tries `dtrace -G` with this. */
tracer_clause: TRACER block
    { source_warn(parser->source, @TRACER.begin, "no provider: this part is for a tracer"); };

/* Names: words of D are not words of C. */

name: NAME | PROVIDER | PROBE | TRANSLATOR | TRACER;

word: name | ATTRIBUTE | NUMBER | TYPEDEF | EXTERN | INLINE | TAG | BUILTIN | QUALIFIER;

%%

static const struct keyword {
    const char *text;
    int token;
} keywords[] = {
    {"provider", PROVIDER}, {"probe", PROBE},       {"translator", TRANSLATOR},
    {"inline", INLINE},     {"typedef", TYPEDEF},   {"extern", EXTERN},
    {"struct", TAG},        {"union", TAG},         {"enum", TAG},
    {"void", BUILTIN},      {"char", BUILTIN},      {"short", BUILTIN},
    {"int", BUILTIN},       {"long", BUILTIN},      {"float", BUILTIN},
    {"double", BUILTIN},    {"signed", BUILTIN},    {"unsigned", BUILTIN},
    {"const", QUALIFIER},   {"volatile", QUALIFIER}, {"restrict", QUALIFIER},
    {"BEGIN", TRACER},      {"END", TRACER},        {"__attribute__", ATTRIBUTE},
    {"__attribute", ATTRIBUTE}, {"_Alignas", ATTRIBUTE}, {"alignas", ATTRIBUTE},
};

static int token_of_word(struct slice word)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strlen(keywords[i].text) == word.length &&
            !memcmp(keywords[i].text, word.text, word.length))
            return keywords[i].token;
    return NAME;
}

/*
 * Headers have variables of this name. It is the keyword where a declaration may begin, and before
 * a name and a brace.
 */
static bool is_provider(const struct parser *parser)
{
    struct span first, second;
    size_t at = parser->at;
    const uint8_t *text = parser->source->text.data;
    enum lexeme lexeme = lexer_next(parser->source, &at, &first);
    if (parser->last == '}') /* struct { ... } provider; */
        return lexeme != LEXEME_OTHER || !strchr(";,=", text[first.begin]);
    if (!parser->last || parser->last == ';')
        return true;
    return lexeme == LEXEME_WORD &&
           lexer_next(parser->source, &at, &second) == LEXEME_OTHER && text[second.begin] == '{';
}

static int next_token(GRAMMAR_STYPE *value, struct span *span, struct parser *parser)
{
    int token;
    enum lexeme lexeme = lexer_next(parser->source, &parser->at, span);
    const char *text = (const char *)parser->source->text.data + span->begin;
    value->text = (struct slice){text, span->end - span->begin};
    switch (lexeme) {
    case LEXEME_END:
        return END_OF_FILE;
    case LEXEME_WORD:
        token = token_of_word(value->text);
        return token == PROVIDER && !is_provider(parser) ? NAME : token;
    case LEXEME_NUMBER:
        return NUMBER;
    case LEXEME_STRING:
        return STRING;
    case LEXEME_BAD:
        source_error(parser->source, span->begin, "this %s does not end",
                     *text == '/' ? "comment" : "string");
        parser->failed = true;
        return BAD;
    case LEXEME_OTHER:
        break;
    }
    return *text == '=' ? EQUALS : *text && strchr("{}()[];:,*&", *text) ? *text : OTHER;
}

static int grammar_lex(GRAMMAR_STYPE *value, struct span *span, struct parser *parser)
{
    return parser->last = next_token(value, span, parser);
}

/* Memory, or as it is usually called: depth. */
static void grammar_error(const struct span *span, struct parser *parser, const char *message)
{
    (void)message;
    source_error(parser->source, span->begin, "nested too deeply");
}

static bool includes(const yysymbol_kind_t kinds[], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(yysymbol_name(kinds[i]), name))
            return true;
    return false;
}

/*
 * What may stand here, in the order in which the grammar declares it. Not told: what has no alias
 * there; keywords, where a name may stand; what goes on where something may end. And where nearly
 * everything may stand, only what ends it.
 */
static size_t collect_expected(const yypcontext_t *context, const char *names[])
{
    enum { MOST = 5 };
    static const char *const ends[] = {"'}'", "']'", "')'", "';'"};
    yysymbol_kind_t kinds[YYNTOKENS];
    size_t count = 0;
    int found = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
    bool is_name = includes(kinds, found, "a name"), is_end = includes(kinds, found, "')'");
    if (includes(kinds, found, "the end of the file")) {
        names[0] = "'provider' or a declaration";
        return 1;
    }
    for (int i = 0; i < found; i++) {
        const char *name = yysymbol_name(kinds[i]);
        bool has_alias = name[0] == '\'' || strchr(name, ' ');
        bool is_keyword = kinds[i] == YYSYMBOL_PROVIDER || kinds[i] == YYSYMBOL_PROBE;
        bool opens = !strcmp(name, "'('") || !strcmp(name, "'['");
        if (has_alias && !(is_keyword && is_name) && !(opens && is_end))
            names[count++] = name;
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && count > MOST; i++) {
        if (includes(kinds, found, ends[i])) {
            names[0] = ends[i];
            count = 1;
        }
    }
    return count;
}

/* "; expected A, B or C" */
static void describe_expected(const yypcontext_t *context, char *text, size_t size)
{
    const char *names[YYNTOKENS];
    size_t length = 0, count = collect_expected(context, names);
    *text = '\0';
    for (size_t i = 0; i < count && length < size; i++) {
        const char *before = i == 0 ? "; expected " : i + 1 == count ? " or " : ", ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", before, names[i]);
    }
}

/* What is missing at the end of the file is missing after its last word. */
static size_t end_of_words(const struct source *source)
{
    struct span word;
    size_t at = 0, end = 0;
    while (lexer_next(source, &at, &word) != LEXEME_END)
        end = word.end;
    return end;
}

static void refuse(struct parser *parser, const struct span *span, const char *expected)
{
    struct span word;
    size_t at = span->begin;
    const uint8_t *text = parser->source->text.data + at;
    parser->failed = true;
    lexer_next(parser->source, &at, &word);
    enum { SHOWN = 60 }; /* of a very long word */
    size_t length = word.end - word.begin < SHOWN ? word.end - word.begin : SHOWN;
    if (*text < ' ' || *text > '~') {
        source_error(parser->source, span->begin, "unexpected byte 0x%02x%s", *text, expected);
        return;
    }
    struct bytes shown = {0}; /* a string may hold what a terminal obeys */
    escape_append(&shown, (struct slice){(const char *)text, length});
    source_error(parser->source, span->begin, "unexpected '%.*s'%s", (int)shown.size,
                 (const char *)shown.data, expected);
    bytes_free(&shown);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *parser)
{
    char expected[256];
    struct span at = *yypcontext_location(context);
    if (parser->failed)
        return 0;
    parser->failed = true;
    describe_expected(context, expected, sizeof expected);
    if (yypcontext_token(context) == YYSYMBOL_YYEOF)
        return source_error(parser->source, end_of_words(parser->source),
                            "unexpected end of the file%s", expected);
    refuse(parser, &at, expected);
    return -1;
}

int provider_parse_text(struct providers *providers, const struct source *source)
{
    struct parser parser = {.source = source, .providers = providers};
    return grammar_parse(&parser) == 0 && !parser.failed ? 0 : -1;
}
