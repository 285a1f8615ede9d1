/* SPDX-License-Identifier: BSD-2-Clause */
/* A client of OpenSSL, as a program: something real to link. */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    BIO *connection = BIO_new_ssl_connect(context);
    if (argc != 2 || BIO_set_conn_hostname(connection, argv[1]) != 1 ||
        BIO_do_connect(connection) != 1)
        ERR_print_errors_fp(stderr);
    BIO_free_all(connection);
    SSL_CTX_free(context);
    return 0;
}
