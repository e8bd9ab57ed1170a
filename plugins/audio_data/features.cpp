#include "features.hpp"

#include <algorithm>
#include <cmath>

#include "levin/error.hpp"

namespace audio {
namespace {

using Complex = std::complex<double>;

constexpr double pi = 3.14159265358979323846;
constexpr double smallest_power = 1e-10;  // of log_mel

Complex product(const Complex& a, const Complex& b) {  // that of std::complex looks for NaN
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Writes the Fourier transform of n numbers, which are `step` apart, by the smallest factor of n. roots: of unity, for
// the whole length. scratch: n numbers.
void fourier(const Complex* in, Complex* out, Complex* scratch, size_t n, size_t step,
             const std::vector<Complex>& roots) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  size_t factor = 2;
  while (n % factor != 0) ++factor;
  const size_t m = n / factor;
  for (size_t r = 0; r < factor; ++r) fourier(in + r * step, scratch + r * m, out + r * m, m, step * factor, roots);
  for (size_t k = 0; k < n; ++k) {
    out[k] = scratch[k % m];
    for (size_t r = 1; r < factor; ++r) out[k] += product(scratch[r * m + k % m], roots[r * k * step % roots.size()]);
  }
}

double mel_of(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertz_of(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

}  // namespace

Features::Features(const FeatureOptions& options, int64_t rate, int64_t samples)
    : options_(options), samples_(samples) {
  if (options_.kind == "waveform") return;
  if (samples <= options_.n_fft / 2)
    throw levin::Error(LEVIN_E_INVALID, "--data.n_fft " + std::to_string(options_.n_fft) + " needs rows of more than " +
                                            std::to_string(options_.n_fft / 2) + " samples, and they have " +
                                            std::to_string(samples) + ": give more --data.clip_seconds");
  const auto n = static_cast<size_t>(options_.n_fft);
  for (size_t i = 0; i < n; ++i) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(n);
    window_.push_back(0.5 - 0.5 * std::cos(angle));
    roots_.push_back(std::polar(1.0, -angle));
  }
  if (options_.kind != "spectrogram") make_filters(rate);
}

void Features::make_filters(int64_t rate) {
  const double most = options_.f_max > 0 ? options_.f_max : static_cast<double>(rate / 2);
  if (options_.f_min >= most || most > static_cast<double>(rate) / 2)
    throw levin::Error(LEVIN_E_INVALID, "--data.f_min and f_max have to be between 0 and " + std::to_string(rate / 2) +
                                            " Hz, half of the sampling rate, and f_min below f_max");
  const double low = mel_of(options_.f_min), high = mel_of(most);
  std::vector<double> points;
  for (int64_t i = 0; i < options_.n_mels + 2; ++i)
    points.push_back(hertz_of(low + (high - low) * static_cast<double>(i) / static_cast<double>(options_.n_mels + 1)));
  for (size_t band = 0; band < static_cast<size_t>(options_.n_mels); ++band) {
    std::vector<double> filter;
    for (int64_t bin = 0; bin < bins(); ++bin) {
      // As torchaudio: the bins are spread from 0 to half of the rate, also for an odd n_fft.
      const double hertz = static_cast<double>(rate / 2) * static_cast<double>(bin) / static_cast<double>(bins() - 1);
      const double up = (hertz - points[band]) / (points[band + 1] - points[band]),
                   down = (points[band + 2] - hertz) / (points[band + 2] - points[band + 1]);
      filter.push_back(std::max(0.0, std::min(up, down)));
    }
    filters_.push_back(std::move(filter));
  }
}

int64_t Features::empty_bands() const {
  return std::count_if(filters_.begin(), filters_.end(), [](const std::vector<double>& filter) {
    return std::all_of(filter.begin(), filter.end(), [](double weight) { return weight == 0; });
  });
}

std::vector<int64_t> Features::shape() const {
  if (options_.kind == "waveform") return {1, samples_};
  return {1, options_.kind == "spectrogram" ? bins() : options_.n_mels, frames()};
}

// A frame is centred on its sample; beyond the ends the sound is mirrored.
std::vector<double> Features::power_at(const std::vector<float>& samples, int64_t frame) const {
  std::vector<Complex> in;
  in.reserve(static_cast<size_t>(options_.n_fft));
  for (int64_t i = 0; i < options_.n_fft; ++i) {
    int64_t at = frame * options_.hop + i - options_.n_fft / 2;
    if (at < 0) at = -at;
    if (at >= samples_) at = 2 * (samples_ - 1) - at;
    in.emplace_back(static_cast<double>(samples[static_cast<size_t>(at)]) * window_[static_cast<size_t>(i)]);
  }
  std::vector<Complex> spectrum(in.size()), scratch(in.size());
  fourier(in.data(), spectrum.data(), scratch.data(), in.size(), 1, roots_);
  std::vector<double> power;
  for (int64_t bin = 0; bin < bins(); ++bin) power.push_back(std::norm(spectrum[static_cast<size_t>(bin)]));
  return power;
}

void Features::compute(const std::vector<float>& samples, float* out) const {
  if (options_.kind == "waveform") return void(std::copy(samples.begin(), samples.end(), out));
  for (int64_t frame = 0; frame < frames(); ++frame) {
    const std::vector<double> power = power_at(samples, frame);
    const auto write = [&](size_t band, double value) {
      const bool logarithm = options_.kind == "log_mel";
      out[static_cast<int64_t>(band) * frames() + frame] =
          static_cast<float>(logarithm ? 10 * std::log10(std::max(value, smallest_power)) : value);
    };
    if (filters_.empty())
      for (size_t bin = 0; bin < power.size(); ++bin) write(bin, power[bin]);
    for (size_t band = 0; band < filters_.size(); ++band) {
      double sum = 0;
      for (size_t bin = 0; bin < power.size(); ++bin) sum += filters_[band][bin] * power[bin];
      write(band, sum);
    }
  }
}

}  // namespace audio
