/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the compiler builds in an allocator of its own, as sanitizers do. */
#ifndef TESTS_MEMORY_SANITIZED_H
#define TESTS_MEMORY_SANITIZED_H

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
