// Functions that are compiled for several instruction sets; the loader takes the one for its processor.
#pragma once

// Sanitizers need builds without clones: their runtime is not ready when the loader selects a clone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LEVIN_CLONES __attribute__((target_clones("avx2", "default")))
#define LEVIN_WIDE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LEVIN_CLONES
#define LEVIN_WIDE_CLONES
#endif
#define LEVIN_INLINE inline __attribute__((always_inline))
