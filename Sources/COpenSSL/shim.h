#pragma once
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// What OpenSSL has as macros only, and Swift can't call.

static inline void copenssl_set_minimum_version(SSL_CTX *context, int version) {
    SSL_CTX_set_min_proto_version(context, version);
}

static inline void copenssl_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

static inline void copenssl_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(
        context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE
            | SSL_OP_PRIORITIZE_CHACHA);
}

static const uint64_t copenssl_no_ticket = SSL_OP_NO_TICKET;

static inline void copenssl_set_session_cache(SSL_CTX *context, long mode, long count) {
    SSL_CTX_set_session_cache_mode(context, mode);
    SSL_CTX_sess_set_cache_size(context, count);
}

static inline void copenssl_set_read_ahead(SSL_CTX *context) {
    SSL_CTX_set_read_ahead(context, 1);
}

static inline void copenssl_set_server_name_callback(
    SSL_CTX *context, int (*callback)(SSL *, int *, void *), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline long copenssl_set_ticket_keys(SSL_CTX *context, void *keys, long count) {
    return SSL_CTX_set_tlsext_ticket_keys(context, keys, count);
}

static inline long copenssl_ticket_keys_count(SSL_CTX *context) {
    return SSL_CTX_get_tlsext_ticket_keys(context, NULL, 0);
}

static inline long copenssl_set_host_name(SSL *connection, const char *name) {
    return SSL_set_tlsext_host_name(connection, name);
}

static inline const char *copenssl_cipher_name(SSL *connection) {
    return SSL_get_cipher_name(connection);
}

static inline EVP_PKEY *copenssl_make_p256_key(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

static inline STACK_OF(X509) *copenssl_certificates_new(void) { return sk_X509_new_null(); }
static inline int copenssl_certificates_count(const STACK_OF(X509) *list) { return sk_X509_num(list); }
static inline X509 *copenssl_certificate(const STACK_OF(X509) *list, int index) {
    return sk_X509_value(list, index);
}
static inline int copenssl_certificates_push(STACK_OF(X509) *list, X509 *one) {
    return sk_X509_push(list, one);
}
// Frees the list, not what is in it.
static inline void copenssl_certificates_free(STACK_OF(X509) *list) { sk_X509_free(list); }
// Frees the list and what is in it.
static inline void copenssl_certificates_release(STACK_OF(X509) *list) {
    sk_X509_pop_free(list, X509_free);
}

static inline int copenssl_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline const GENERAL_NAME *copenssl_name(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

static inline void copenssl_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline void copenssl_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static const unsigned long copenssl_name_format = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
static inline long copenssl_memory(BIO *memory, char **bytes) { return BIO_get_mem_data(memory, bytes); }
static inline void copenssl_free(void *memory) { OPENSSL_free(memory); }
static inline void copenssl_set_config_without_file(X509V3_CTX *context, X509 *issuer, X509 *subject) {
    X509V3_set_ctx(context, issuer, subject, NULL, NULL, 0);
}
