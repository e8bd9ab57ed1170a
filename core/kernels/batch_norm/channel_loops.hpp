// The loops of batch norm over rows of channels: number i belongs to channel i % channels. Values of channels are
// repeated to `width` numbers, so that vectors fit any number of channels.
#pragma once
#include <cstdint>

namespace levin::core {

// Returns a multiple of the channels and of 16.
int64_t repeated_width(int64_t channels);

// Sums in float for each of `width` numbers: few enough rows keep them exact to some units of the last place.
constexpr int64_t rows_of_a_sum = 64;
// Adds the distances from `centre` and their squares.
void add_distances(const float* in, int64_t n, const float* centre, int64_t width, float* distances, float* squares);
// Adds the gradients, and the gradients times the distances of the input from `centre`.
void add_gradients(const float* gradient, const float* in, int64_t n, const float* centre, int64_t width,
                   float* gradients, float* products);
// Moves n sums to totals.
void move_sums(float* sums, double* totals, int64_t n);

// out = (in - centre) * scale + shift
void normalize_rows(const float* in, int64_t n, const float* centre, const float* scale, const float* shift,
                    int64_t width, float* out);
// out = (gradient - shift - (in - centre) * slope) * scale
void input_gradient_rows(const float* gradient, const float* in, int64_t n, const float* centre, const float* shift,
                         const float* slope, const float* scale, int64_t width, float* out);

}  // namespace levin::core
