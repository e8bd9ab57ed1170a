#include "core/checkpoint/container/safetensors_header.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_set>

#include "core/checkpoint/container/format.hpp"
#include "core/checkpoint/container/tensor_name.hpp"

namespace levin::core {
namespace {

using Json = nlohmann::json;
constexpr int max_skipped_depth = 100;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

class HeaderSax {
 public:
  explicit HeaderSax(SafetensorsMode mode) : mode_(mode) {}
  SafetensorsHeader take() { return std::move(header_); }

  bool null() {
    if (at_ == At::top && key_ == "__metadata__" && mode_ == SafetensorsMode::reference) return true;
    return scalar("null");
  }
  bool boolean(bool) { return scalar("a boolean"); }
  bool number_integer(Json::number_integer_t) { return scalar("a negative number"); }
  bool number_float(Json::number_float_t, const std::string&) {
    return scalar("a number that is not whole or too large");
  }
  bool binary(Json::binary_t&) { return scalar("binary data"); }

  bool number_unsigned(Json::number_unsigned_t value) {
    if (at_ == At::shape) {
      info_.shape.push_back(value);
      if (mode_ == SafetensorsMode::strict && info_.shape.size() > max_rank) fail(tensor() + "more than 64 dimensions");
      return true;
    }
    if (at_ != At::offsets) return scalar("a number");
    if (offsets_ == 2) fail(tensor() + "data_offsets has more than two numbers");
    (offsets_++ == 0 ? info_.begin : info_.end) = value;
    return true;
  }

  bool string(std::string& value) {
    if (at_ == At::metadata) {
      if (!header_.metadata.emplace(key_, value).second) fail("the metadata key " + show_name(key_) + " occurs twice");
      return true;
    }
    if (at_ != At::tensor || key_ != "dtype") return scalar("a text");
    info_.dtype = value;
    return true;
  }

  bool start_object(size_t) {
    if (at_ == At::outside) return enter(At::top);
    if (at_ == At::top && key_ == "__metadata__") return enter(At::metadata);
    if (at_ == At::top) {
      info_ = {};
      info_.name = key_;
      has_dtype_ = has_shape_ = has_offsets_ = false;
      return enter(At::tensor);
    }
    return start_skipped("an object");
  }

  bool start_array(size_t) {
    if (at_ == At::tensor && key_ == "shape") return enter(At::shape);
    if (at_ == At::tensor && key_ == "data_offsets") {
      offsets_ = 0;
      return enter(At::offsets);
    }
    return start_skipped("an array");
  }

  bool key(std::string& value) {
    if (skipped_ > 0) return true;
    if (at_ == At::top) top_key(value);
    if (at_ == At::tensor) tensor_key(value);
    key_ = std::move(value);
    return true;
  }

  bool end_object() {
    if (end_skipped()) return true;
    if (at_ == At::tensor) {
      if (!has_dtype_ || !has_shape_ || !has_offsets_) fail(tensor() + "dtype, shape or data_offsets is missing");
      header_.tensors.push_back(std::move(info_));
    }
    at_ = at_ == At::top ? At::outside : At::top;
    return true;
  }

  bool end_array() {
    if (end_skipped()) return true;
    if (at_ == At::offsets && offsets_ != 2) fail(tensor() + "data_offsets has fewer than two numbers");
    at_ = At::tensor;
    return true;
  }

  bool parse_error(size_t position, const std::string&, const Json::exception&) {
    fail("not JSON at byte " + std::to_string(position));
  }

 private:
  enum class At { outside, top, metadata, tensor, shape, offsets };

  bool enter(At at) {
    at_ = at;
    return true;
  }
  std::string tensor() const { return "tensor " + show_name(info_.name) + ": "; }

  void top_key(const std::string& name) {
    if (!names_.insert(name).second) fail("the name " + show_name(name) + " occurs twice");
    if (mode_ == SafetensorsMode::strict && names_.size() > 2 * max_tensors) fail("more than a million tensors");
  }

  void tensor_key(const std::string& name) {
    bool* seen = name == "dtype"          ? &has_dtype_
                 : name == "shape"        ? &has_shape_
                 : name == "data_offsets" ? &has_offsets_
                                          : nullptr;
    if (seen == nullptr && mode_ == SafetensorsMode::strict) fail(tensor() + "unknown field " + show_name(name));
    if (seen == nullptr) return;
    if (*seen) fail(tensor() + name + " occurs twice");
    *seen = true;
  }

  // Other programs may add fields of their own to a tensor; they are skipped.
  bool unknown_field() const {
    return skipped_ > 0 || (mode_ == SafetensorsMode::reference && at_ == At::tensor && key_ != "dtype" &&
                            key_ != "shape" && key_ != "data_offsets");
  }
  bool scalar(const char* what) const {
    if (!unknown_field()) unexpected(what);
    return true;
  }
  bool start_skipped(const char* what) {
    if (!unknown_field()) unexpected(what);
    if (++skipped_ > max_skipped_depth) fail("nested too deeply");
    return true;
  }
  bool end_skipped() {
    if (skipped_ == 0) return false;
    --skipped_;
    return true;
  }
  [[noreturn]] void unexpected(const std::string& what) const {
    switch (at_) {
      case At::outside:
        fail("not a JSON object but " + what);
      case At::top:
        fail("the value of " + show_name(key_) + " is " + what);
      case At::metadata:
        fail("the metadata " + show_name(key_) + " is " + what + ", not a text");
      default:
        fail(tensor() + key_ + " is or holds " + what);
    }
  }

  const SafetensorsMode mode_;
  SafetensorsHeader header_;
  TensorInfo info_;
  At at_ = At::outside;
  std::string key_;
  std::unordered_set<std::string> names_;
  int offsets_ = 0, skipped_ = 0;
  bool has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
};

}  // namespace

SafetensorsHeader read_header_json(std::string_view text, SafetensorsMode mode) {
  // The library takes a NUL for the end of the text and skips a byte order mark. The format allows neither.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos)
    fail("not JSON at byte " + std::to_string(nul + 1));
  if (text.substr(0, 1) == "\xef") fail("not JSON at byte 1");
  HeaderSax sax(mode);
  if (!Json::sax_parse(text.begin(), text.end(), &sax)) fail("not JSON");
  return sax.take();
}

}  // namespace levin::core
