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
    view_.strides = strides_.empty() ? nullptr : const_cast<int64_t*>(strides_.data());
    levin_media media{};
    media.size = sizeof media;
    media.kind = kind_.c_str();
    media.tag = tag_.c_str();
    media.step = step_;
    media.view = has_view_ ? &view_ : nullptr;
    media.text = has_view_ ? nullptr : text_.c_str();
    media.caption = caption_.empty() ? nullptr : caption_.c_str();
    media.rate = rate_;
    return media;
  }

 private:
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
  mutable levin_view view_{};  // its pointers are set in raw()
  bool has_view_ = false;
};

}  // namespace levin
#pragma GCC visibility pop
