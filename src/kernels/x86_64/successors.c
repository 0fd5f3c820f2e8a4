#include "kernels/successors.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define JOIN_NAMES(a, b) a##_##b
#define JOIN(a, b)       JOIN_NAMES(a, b)

#define VARIANT         avx512
#define TARGET          "avx512f"
#define LANES           8
#define MULTIPLY(a, b)  _mm512_mul_epu32((__m512i)(a), (__m512i)(b))
#define MINIMUM(a, b)   _mm512_min_epu32((__m512i)(a), (__m512i)(b))
#define ANY_NEGATIVE(a) _mm512_cmplt_epi64_mask((__m512i)(a), _mm512_setzero_si512())
#include "kernels/x86_64/successors_template.h"

#define VARIANT         avx2
#define TARGET          "avx2"
#define LANES           4
#define MULTIPLY(a, b)  _mm256_mul_epu32((__m256i)(a), (__m256i)(b))
#define MINIMUM(a, b)   _mm256_min_epu32((__m256i)(a), (__m256i)(b))
#define ANY_NEGATIVE(a) _mm256_movemask_pd((__m256d)(a))
#include "kernels/x86_64/successors_template.h"
#endif
