#include "core/kernels/batch_norm/channels_last.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/kernels/batch_norm/channel_loops.hpp"
#include "core/kernels/common/parallel_for.hpp"
#include "core/kernels/common/plain_tensor.hpp"

namespace levin::core {
namespace {

using at::Tensor;

// The numbers of a tensor, in chunks that one thread takes.
struct Rows {
  explicit Rows(const Tensor& input)
      : channels(input.size(1)), width(repeated_width(channels)), numbers(input.numel()) {}
  int64_t channels, width, numbers;

  double rows() const { return static_cast<double>(numbers / channels); }
  int64_t block() const { return width * rows_of_a_sum; }
  int64_t chunk() const { return std::max<int64_t>(1, grain_size / block()) * block(); }
  int64_t chunks() const { return (numbers + chunk() - 1) / chunk(); }
  // f(chunk, first number, number behind the last), on several threads.
  template <class F>
  void each_chunk(const F& f) const {
    parallel_for(chunks(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) f(i, i * chunk(), std::min(numbers, (i + 1) * chunk()));
    });
  }
};

// A value for each channel, repeated.
struct Repeated {
  explicit Repeated(const Rows& rows) : values(static_cast<size_t>(rows.width)) {}
  template <class F>  // f(channel)
  Repeated(const Rows& rows, const F& f) : Repeated(rows) {
    for (int64_t i = 0; i < rows.width; ++i)
      values[static_cast<size_t>(i)] = i < rows.channels ? f(i) : values[static_cast<size_t>(i - rows.channels)];
  }
  const float* data() const { return values.data(); }
  std::vector<float> values;
};

// Two sums for each channel.
struct Totals {
  explicit Totals(int64_t channels) : first(static_cast<size_t>(channels)), second(first) {}
  std::vector<double> first, second;
};

// add(first number, n, sums, other sums) adds to sums in float, which are added up in double, in a fixed order.
template <class F>
Totals sum_up(const Rows& rows, const F& add) {
  const auto width = static_cast<size_t>(rows.width), channels = static_cast<size_t>(rows.channels);
  std::vector<double> parts(static_cast<size_t>(rows.chunks()) * 2 * width);
  rows.each_chunk([&](int64_t chunk, int64_t begin, int64_t end) {
    double* const part = parts.data() + static_cast<size_t>(chunk) * 2 * width;
    std::vector<float> sums(2 * width);
    for (int64_t at = begin; at < end; at += rows.block()) {
      add(at, std::min(rows.block(), end - at), sums.data(), sums.data() + width);
      move_sums(sums.data(), part, 2 * rows.width);
    }
  });
  Totals out(rows.channels);
  for (const double* part = parts.data(); part != parts.data() + parts.size(); part += 2 * width)
    for (size_t i = 0; i < width; ++i) {
      out.first[i % channels] += part[i];
      out.second[i % channels] += part[width + i];
    }
  return out;
}

// Means of some rows, to be near the means of all of them.
Repeated about_means(const Rows& rows, const float* in) {
  const int64_t all = rows.numbers / rows.width, count = std::min<int64_t>(all, rows_of_a_sum / 2);
  const Repeated zero(rows);
  std::vector<float> sums(static_cast<size_t>(2 * rows.width));
  for (int64_t i = 0; i < count; ++i)
    add_distances(in + i * all / count * rows.width, rows.width, zero.data(), rows.width, sums.data(),
                  sums.data() + rows.width);
  return Repeated(rows, [&](int64_t channel) {
    double sum = 0;
    for (int64_t i = channel; i < rows.width; i += rows.channels)
      sum += static_cast<double>(sums[static_cast<size_t>(i)]);
    return static_cast<float>(sum / static_cast<double>(count * (rows.width / rows.channels)));
  });
}

struct Moments {
  explicit Moments(size_t channels) : mean(channels), squares(channels) {}
  std::vector<double> mean, squares;  // squares: of the distances from the mean
  bool finite = true, precise = true;
};

// The distances are measured from a centre, as sums of the numbers themselves would lose digits.
Moments moments_from(const Rows& rows, const float* in, const Repeated& centre) {
  const Totals totals = sum_up(rows, [&](int64_t at, int64_t n, float* distances, float* squares) {
    add_distances(in + at, n, centre.data(), rows.width, distances, squares);
  });
  Moments out(totals.first.size());
  for (size_t c = 0; c < out.mean.size(); ++c) {
    const double distance = totals.first[c] / rows.rows();
    out.mean[c] = static_cast<double>(centre.values[c]) + distance;
    out.squares[c] = std::max(totals.second[c] - distance * distance * rows.rows(), 0.0);  // NaN stays
    out.finite = out.finite && std::isfinite(out.squares[c]);
    out.precise = out.precise && distance * distance * rows.rows() <= 4 * out.squares[c];
  }
  return out;
}

Moments moments_of(const Rows& rows, const float* in) {
  const Moments out = moments_from(rows, in, about_means(rows, in));
  if (!out.finite || out.precise) return out;
  return moments_from(rows, in, Repeated(rows, [&](int64_t channel) {
                        return static_cast<float>(out.mean[static_cast<size_t>(channel)]);
                      }));
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> channels_last_norm(const Tensor& input, const NormParameters& of) {
  const Rows rows(input);
  const float* const in = input.data_ptr<float>();
  const Moments moments = moments_of(rows, in);
  if (!moments.finite) return {};
  Tensor output = at::empty_like(input);
  Tensor means = at::empty({rows.channels}, input.options()), inverse_stds = at::empty_like(means);
  float *const mean = means.data_ptr<float>(), *const inverse_std = inverse_stds.data_ptr<float>();
  for (int64_t c = 0; c < rows.channels; ++c) {
    const double exact = moments.mean[static_cast<size_t>(c)], squares = moments.squares[static_cast<size_t>(c)];
    mean[c] = static_cast<float>(exact);
    inverse_std[c] = static_cast<float>(1 / std::sqrt(squares / rows.rows() + of.eps));
    of.move_running(c, exact, squares, rows.rows());
  }
  const auto scale_of = [&](int64_t c) { return inverse_std[c] * (of.weight ? of.weight[c] : 1); };
  const Repeated centre(rows, [&](int64_t c) { return mean[c]; }), scale(rows, scale_of);
  const Repeated shift(rows, [&](int64_t c) {
    const double lost = moments.mean[static_cast<size_t>(c)] - static_cast<double>(mean[c]);  // by rounding
    return (of.bias ? of.bias[c] : 0) - static_cast<float>(lost) * scale_of(c);
  });
  float* const out = output.data_ptr<float>();
  rows.each_chunk([&](int64_t, int64_t begin, int64_t end) {
    normalize_rows(in + begin, end - begin, centre.data(), scale.data(), shift.data(), rows.width, out + begin);
  });
  return {output, means, inverse_stds};
}

std::tuple<Tensor, Tensor, Tensor> channels_last_norm_backward(const Tensor& gradient, const Tensor& input,
                                                               const float* weight, const float* mean,
                                                               const float* inverse_std, std::array<bool, 3> wanted) {
  const Rows rows(input);
  const float *const in = input.data_ptr<float>(), *const given = gradient.data_ptr<float>();
  const Repeated centre(rows, [&](int64_t c) { return mean[c]; });
  const Totals totals = sum_up(rows, [&](int64_t at, int64_t n, float* gradients, float* products) {
    add_gradients(given + at, in + at, n, centre.data(), rows.width, gradients, products);
  });
  const auto values = [&](bool is_wanted, const auto& f) {
    if (!is_wanted) return Tensor();
    Tensor out = at::empty({rows.channels}, input.options());
    for (int64_t c = 0; c < rows.channels; ++c) out.data_ptr<float>()[c] = static_cast<float>(f(c));
    return out;
  };
  const auto gradient_of = [&](int64_t c) { return totals.first[static_cast<size_t>(c)]; };
  const auto product_of = [&](int64_t c) {
    return totals.second[static_cast<size_t>(c)] * static_cast<double>(inverse_std[c]);
  };
  const Tensor for_weight = values(wanted[1], product_of), for_bias = values(wanted[2], gradient_of);
  if (!wanted[0]) return {Tensor(), for_weight, for_bias};
  const Repeated shift(rows, [&](int64_t c) { return static_cast<float>(gradient_of(c) / rows.rows()); });
  const Repeated slope(rows, [&](int64_t c) {
    return static_cast<float>(product_of(c) * static_cast<double>(inverse_std[c]) / rows.rows());
  });
  const Repeated scale(rows, [&](int64_t c) { return inverse_std[c] * (weight ? weight[c] : 1); });
  Tensor for_input = at::empty_like(input);
  float* const out = for_input.data_ptr<float>();
  rows.each_chunk([&](int64_t, int64_t begin, int64_t end) {
    input_gradient_rows(given + begin, in + begin, end - begin, centre.data(), shift.data(), slope.data(), scale.data(),
                        rows.width, out + begin);
  });
  return {for_input, for_weight, for_bias};
}

}  // namespace levin::core
