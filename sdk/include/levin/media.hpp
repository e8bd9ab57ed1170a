// levin::Media: media that a component passes to the loggers, made from buffers, views or text.
//
//   event.run().media(levin::Media::image("samples", pixels, height, width, 3).caption("after the first epoch"));
//   event.run().media(levin::Media::table("errors", {"file", "loss"}, {{"a.png", 2.5}, {"b.png", 0.1}}));
//
// Buffers are borrowed and must be valid until Run::media returns; everything else is owned.
#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/abi.h"
#include "levin/util/text.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

namespace detail {
inline std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else
      out += static_cast<unsigned char>(c) < 0x20 ? std::string(escape) : std::string(1, c);
  }
  return out + '"';
}
}  // namespace detail

// A cell of a table: a number, a bool or a text.
class Cell {
 public:
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Cell(T value) {
    if constexpr (std::is_same_v<T, bool>)
      json_ = value ? "true" : "false";
    else if constexpr (std::is_integral_v<T>)
      json_ = std::to_string(value);
    else
      json_ = std::isfinite(value) ? shortest(static_cast<double>(value)) : detail::json_text(shortest(value));
  }
  Cell(const std::string& text) : json_(detail::json_text(text)) {}
  Cell(const char* text) : json_(detail::json_text(text)) {}
  const std::string& json() const { return json_; }

 private:
  std::string json_;
};

// A node of Media::graph. The names of its scopes are separated by /, as in "encoder/conv1".
struct GraphNode {
  std::string name, op;  // op: the kind of layer
  std::vector<std::string> inputs;
};

// A chart of Media::layout that shows several metrics. margin: of three metrics, the value, its lower and its upper
// limit.
struct LayoutChart {
  std::string title;
  std::vector<std::string> tags;
  bool margin = false;
};

class Media {
 public:
  // pixels: [height, width, channels], row-major, with 1 (grey), 3 (RGB) or 4 (RGBA) channels.
  static Media image(std::string tag, const uint8_t* pixels, int64_t height, int64_t width, int64_t channels) {
    return Media("image", std::move(tag)).of(pixels, {LEVIN_UINT, 8, 1}, {height, width, channels});
  }
  static Media video(std::string tag, const uint8_t* pixels, int64_t frames, int64_t height, int64_t width,
                     int64_t channels, double frames_per_second) {
    return Media("video", std::move(tag))
        .of(pixels, {LEVIN_UINT, 8, 1}, {frames, height, width, channels})
        .rate(frames_per_second);
  }
  // samples: from -1 to 1, with interleaved channels.
  static Media audio(std::string tag, const float* samples, int64_t n, int64_t channels, double samples_per_second) {
    return Media("audio", std::move(tag)).of(samples, {LEVIN_FLOAT, 32, 1}, {n, channels}).rate(samples_per_second);
  }
  static Media histogram(std::string tag, const double* samples, int64_t n) {
    return Media("histogram", std::move(tag)).of(samples, {LEVIN_FLOAT, 64, 1}, {n});
  }
  static Media text(std::string tag, std::string text) {
    Media media("text", std::move(tag));
    media.text_ = std::move(text);
    return media;
  }
  static Media table(std::string tag, const std::vector<std::string>& columns,
                     const std::vector<std::vector<Cell>>& rows) {
    std::string head, body;
    for (const std::string& column : columns) head += (head.empty() ? "" : ", ") + detail::json_text(column);
    for (const auto& row : rows) {
      std::string cells;
      for (const Cell& cell : row) cells += (cells.empty() ? "" : ", ") + cell.json();
      body += (body.empty() ? "[" : ", [") + cells + "]";
    }
    Media media("table", std::move(tag));
    media.text_ = "{\"columns\": [" + head + "], \"rows\": [" + body + "]}";
    return media;
  }
  // A levin::Figure.
  template <class F>
  static Media figure(std::string tag, const F& figure) {
    auto drawn = figure.pixels();
    Media media("figure", std::move(tag));
    media.bytes_ = std::move(drawn.rgb);
    media.of(media.bytes_.data(), {LEVIN_UINT, 8, 1}, {drawn.height, drawn.width, 3});
    return media;
  }
  // A precision-recall curve. scores: from 0 to 1, of as many rows as there are labels.
  static Media pr_curve(std::string tag, const std::vector<bool>& labels, const std::vector<double>& scores,
                        size_t thresholds = 127) {
    const size_t n = thresholds < 2 ? 2 : thresholds;
    std::vector<double> hits(n + 1, 0), misses(n + 1, 0);  // positive and negative rows at or above each threshold
    for (size_t i = 0; i < labels.size() && i < scores.size(); ++i) {
      const double score = scores[i] > 0 ? (scores[i] < 1 ? scores[i] : 1) : 0;
      ++(labels[i] ? hits : misses)[static_cast<size_t>(score * static_cast<double>(n - 1))];
    }
    for (size_t i = n; i-- > 0;) hits[i] += hits[i + 1], misses[i] += misses[i + 1];
    std::string rows[6];
    const auto add = [&rows](size_t row, double value) {
      rows[row] += (rows[row].empty() ? "" : ", ") + shortest(value);
    };
    for (size_t i = 0; i < n; ++i) {
      add(0, hits[i]), add(1, misses[i]), add(2, misses[0] - misses[i]), add(3, hits[0] - hits[i]);
      add(4, hits[i] / (hits[i] + misses[i] > 0 ? hits[i] + misses[i] : 1));
      add(5, hits[i] / (hits[0] > 0 ? hits[0] : 1));
    }
    const char* const names[] = {"true_positives",  "false_positives", "true_negatives",
                                 "false_negatives", "precision",       "recall"};
    Media media("pr_curve", std::move(tag));
    for (size_t row = 0; row < 6; ++row)
      media.text_ += (row ? ", \"" : "{\"") + std::string(names[row]) + "\": [" + rows[row] + "]";
    media.text_ += "}";
    return media;
  }
  static Media graph(std::string tag, const std::vector<GraphNode>& nodes) {
    Media media("graph", std::move(tag));
    for (const GraphNode& node : nodes)
      media.text_ += (media.text_.empty() ? "{\"name\": " : ", {\"name\": ") + detail::json_text(node.name) +
                     ", \"op\": " + detail::json_text(node.op) + ", \"inputs\": " + list_of(node.inputs) + "}";
    media.text_ = "{\"nodes\": [" + media.text_ + "]}";
    return media;
  }
  // vectors: [n, size], row-major. columns and rows describe the vectors, one row each, and may be empty.
  static Media embedding(std::string tag, const float* vectors, int64_t n, int64_t size,
                         const std::vector<std::string>& columns = {},
                         const std::vector<std::vector<Cell>>& rows = {}) {
    Media media = table(std::move(tag), columns, rows);
    media.kind_ = "embedding";
    if (columns.empty()) media.text_.clear();
    media.of(vectors, {LEVIN_FLOAT, 32, 1}, {n, size});
    return media;
  }
  // Which metrics a logger shows together: charts by the title of their category. It replaces an earlier layout.
  static Media layout(const std::vector<std::pair<std::string, std::vector<LayoutChart>>>& categories) {
    Media media("layout", "layout");
    for (const auto& [title, charts] : categories) {
      std::string list;
      for (const LayoutChart& chart : charts)
        list += (list.empty() ? "{\"title\": " : ", {\"title\": ") + detail::json_text(chart.title) +
                ", \"tags\": " + list_of(chart.tags) + ", \"margin\": " + (chart.margin ? "true}" : "false}");
      media.text_ += (media.text_.empty() ? "{\"title\": " : ", {\"title\": ") + detail::json_text(title) +
                     ", \"charts\": [" + list + "]}";
    }
    media.text_ = "{\"categories\": [" + media.text_ + "]}";
    return media;
  }
  // Any kind of levin_media from a tensor: HostTensor::view(), or levin::view_of in the torch tier. The host copies it
  // from the device and into row-major order.
  static Media view(std::string kind, std::string tag, const levin_view& view) {
    Media media(std::move(kind), std::move(tag));
    media.view_ = view;
    media.shape_.assign(view.shape, view.shape + view.ndim);
    if (view.strides) media.strides_.assign(view.strides, view.strides + view.ndim);
    media.has_view_ = true;
    return media;
  }

  Media& caption(std::string text) & { return caption_ = std::move(text), *this; }
  Media&& caption(std::string text) && { return std::move(caption(std::move(text))); }
  // Sets the step; by default it is the step of metrics logged now.
  Media& step(int64_t step) & { return step_ = step, *this; }
  Media&& step(int64_t step) && { return std::move(this->step(step)); }
  // Frames per second of a video, samples per second of audio.
  Media& rate(double rate) & { return rate_ = rate, *this; }
  Media&& rate(double rate) && { return std::move(this->rate(rate)); }

  // The result borrows from this object.
  levin_media raw() const {
    view_.shape = const_cast<int64_t*>(shape_.data());
    if (!bytes_.empty()) view_.data = const_cast<uint8_t*>(bytes_.data());
    view_.strides = strides_.empty() ? nullptr : const_cast<int64_t*>(strides_.data());
    levin_media media{};
    media.size = sizeof media;
    media.kind = kind_.c_str();
    media.tag = tag_.c_str();
    media.step = step_;
    media.view = has_view_ ? &view_ : nullptr;
    media.text = has_view_ && text_.empty() ? nullptr : text_.c_str();
    media.caption = caption_.empty() ? nullptr : caption_.c_str();
    media.rate = rate_;
    return media;
  }

 private:
  static std::string list_of(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + detail::json_text(text);
    return "[" + out + "]";
  }

  Media(std::string kind, std::string tag) : kind_(std::move(kind)), tag_(std::move(tag)) {}
  Media&& of(const void* data, levin_dtype dtype, std::vector<int64_t> shape) {
    view_ = {const_cast<void*>(data), {LEVIN_CPU, 0}, static_cast<int32_t>(shape.size()), dtype, nullptr, nullptr, 0};
    shape_ = std::move(shape);
    has_view_ = true;
    return std::move(*this);
  }
  std::string kind_, tag_, text_, caption_;
  int64_t step_ = -1;
  double rate_ = 0;
  std::vector<int64_t> shape_, strides_;
  std::vector<uint8_t> bytes_;  // of a figure
  mutable levin_view view_{};   // its pointers are set in raw()
  bool has_view_ = false;
};

}  // namespace levin
#pragma GCC visibility pop
