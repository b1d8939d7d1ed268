#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo have variable arguments, so Swift cannot call them.

static inline CURLcode digest_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode digest_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode digest_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

// The body is not copied.
static inline CURLcode digest_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
  curl_easy_setopt(handle, CURLOPT_POST, 1L);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}

static inline CURLcode digest_curl_set_writer(
    CURL *handle, size_t (*write)(char *, size_t, size_t, void *), void *context) {
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
  return curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

static inline long digest_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

#endif
