#include "event.hpp"

#include <algorithm>
#include <cmath>
#include <protozero/pbf_writer.hpp>

namespace levin::tensorboard {
namespace {

using protozero::pbf_writer;

std::string event(const When& when, uint32_t field, const std::string& body, bool message) {
  std::string out;
  pbf_writer writer(out);
  writer.add_double(1, when.wall_time);
  if (when.step != 0) writer.add_int64(2, when.step);
  message ? writer.add_message(field, body) : writer.add_string(field, body);
  return out;
}

constexpr uint32_t file_version = 3, summary = 5, session_log = 7, source_metadata = 10;
constexpr int32_t session_start = 1, dt_string = 7;

}  // namespace

std::string file_version_event(double wall_time, const std::string& writer) {
  return event({wall_time, 0}, file_version, "brain.Event:2", false) + written_by(writer);
}

std::string written_by(const std::string& writer) {
  std::string metadata, out;
  pbf_writer(metadata).add_string(1, writer.substr(0, 64));
  pbf_writer(out).add_message(source_metadata, metadata);
  return out;
}

std::string restart_event(const When& when) {
  std::string log;
  pbf_writer(log).add_enum(1, session_start);
  return event(when, session_log, log, true);
}

std::string summary_event(const When& when, const std::vector<std::string>& values) {
  std::string body;
  pbf_writer writer(body);
  for (const std::string& value : values) writer.add_message(1, value);
  return event(when, summary, body, true);
}

std::string scalar_value(const std::string& tag, double value) {
  std::string out;
  pbf_writer writer(out);
  writer.add_string(1, tag);
  writer.add_float(2, static_cast<float>(value));
  return out;
}

std::string text_value(const std::string& tag, const std::string& text) {
  std::string plugin, metadata, dim, shape, tensor, out;
  pbf_writer(plugin).add_string(1, "text");
  pbf_writer(metadata).add_message(1, plugin);
  pbf_writer(dim).add_int64(1, 1);
  pbf_writer(shape).add_message(2, dim);
  {
    pbf_writer writer(tensor);
    writer.add_enum(1, dt_string);
    writer.add_message(2, shape);
    writer.add_bytes(8, text);
  }
  pbf_writer writer(out);
  writer.add_string(1, tag + "/text_summary");
  writer.add_message(8, tensor);
  writer.add_message(9, metadata);
  return out;
}

std::string image_value(const std::string& tag, int64_t height, int64_t width, int64_t channels,
                        const std::string& png) {
  std::string image, out;
  {
    pbf_writer writer(image);
    writer.add_int32(1, static_cast<int32_t>(height));
    writer.add_int32(2, static_cast<int32_t>(width));
    writer.add_int32(3, static_cast<int32_t>(channels));
    writer.add_bytes(4, png);
  }
  pbf_writer writer(out);
  writer.add_string(1, tag);
  writer.add_message(4, image);
  return out;
}

std::string audio_value(const std::string& tag, double samples_per_second, int64_t channels, int64_t n,
                        const std::string& wav) {
  std::string audio, out;
  {
    pbf_writer writer(audio);
    writer.add_float(1, static_cast<float>(samples_per_second));
    writer.add_int64(2, channels);
    writer.add_int64(3, n);
    writer.add_bytes(4, wav);
    writer.add_string(5, "audio/wav");
  }
  pbf_writer writer(out);
  writer.add_string(1, tag);
  writer.add_message(6, audio);
  return out;
}

std::string histogram_value(const std::string& tag, const std::vector<double>& samples) {
  std::vector<double> finite;
  for (const double s : samples)
    if (std::isfinite(s)) finite.push_back(s);
  if (finite.empty()) finite.push_back(0);
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double min = *low, max = *high, width = max > min ? (max - min) / 64 : 1;
  const size_t buckets = max > min ? 64 : 1;
  std::vector<double> limits(buckets), counts(buckets);
  for (size_t i = 0; i < buckets; ++i) limits[i] = min + width * static_cast<double>(i + 1);
  double sum = 0, squares = 0;
  for (const double s : finite) {
    sum += s;
    squares += s * s;
    counts[std::min(static_cast<size_t>((s - min) / width), buckets - 1)] += 1;
  }
  std::string histogram, out;
  {
    pbf_writer writer(histogram);
    writer.add_double(1, min);
    writer.add_double(2, max);
    writer.add_double(3, static_cast<double>(finite.size()));
    writer.add_double(4, sum);
    writer.add_double(5, squares);
    writer.add_packed_double(6, limits.begin(), limits.end());
    writer.add_packed_double(7, counts.begin(), counts.end());
  }
  pbf_writer writer(out);
  writer.add_string(1, tag);
  writer.add_message(5, histogram);
  return out;
}

}  // namespace levin::tensorboard
