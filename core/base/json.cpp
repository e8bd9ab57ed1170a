#include "core/base/json.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/characters.hpp"
#include "core/base/json_syntax.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
constexpr size_t max_depth = 100;

// Tracks the parser's position, because nlohmann's SAX events do not contain it.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *furthest_ = std::max(*furthest_, at_);
    return *this;
  }
  CountingIterator operator++(int) {
    auto old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

struct Place {
  int line = 1, column = 1;
};

class Builder {
 public:
  Builder(std::string_view text, const std::string& name, ErrorCode code) : text_(text), name_(name), code_(code) {}

  bool null() { return add(nullptr); }
  bool boolean(bool v) { return add(v); }
  bool number_integer(json::number_integer_t v) { return add(v); }
  bool number_unsigned(json::number_unsigned_t v) { return add(v); }
  bool number_float(json::number_float_t v, const std::string&) { return add(v); }
  bool string(std::string& v) { return add(std::move(v)); }
  bool binary(json::binary_t&) { return false; }
  bool start_object(size_t) { return open(json::object()); }
  bool start_array(size_t) { return open(json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& v) {
    json& object = *stack_.back();
    const Place at = key_place();
    if (object.contains(v)) fail(at, "'" + v + "' is given twice");
    path_.back() = v;
    document_.places.emplace(join(path_, "/"), KeyPlace{at.line, at.column, static_cast<int>(document_.places.size())});
    slot_ = &object[v];
    return true;
  }
  bool parse_error(size_t position, const std::string& token, const json::exception& e) {
    std::string what = e.what();
    // The position is that of the token's end. Only texts and numbers are given alone and whole.
    const bool is_token = what.find(" - unexpected string literal") != std::string::npos ||
                          what.find(" - unexpected number literal") != std::string::npos;
    const size_t begin = position - std::min(position, is_token ? token.size() : 1);
    if (const size_t colon = what.find("column "); colon != std::string::npos) {
      if (const size_t text = what.find(": ", colon); text != std::string::npos) what = what.substr(text + 2);
    }
    if (!opened_.empty() && what.find("unexpected end of input") != std::string::npos) {
      const Place opened = where(opened_.back());
      what = "the text ends here, but the bracket opened at " + std::to_string(opened.line) + ":" +
             std::to_string(opened.column) + " is not closed";
    }
    what = plain_syntax_error(brief_json_error(what));
    const std::string overflow = "number overflow parsing ";
    if (starts_with(what, overflow)) what = "the number " + what.substr(overflow.size()) + " is too large";
    fail(where(begin), what);
  }

  JsonDocument run() {
    furthest_ = text_.data();
    const char* end = text_.data() + text_.size();
    json::sax_parse(CountingIterator(text_.data(), &furthest_), CountingIterator(end, &furthest_), this,
                    json::input_format_t::json, true, true);
    return std::move(document_);
  }

 private:
  template <class T>
  bool add(T&& v) {
    place(json(std::forward<T>(v)));
    return true;
  }
  json* place(json v) {
    if (stack_.empty()) {
      document_.value = std::move(v);
      return &document_.value;
    }
    if (stack_.back()->is_array()) {
      path_.back() = std::to_string(stack_.back()->size());
      stack_.back()->push_back(std::move(v));
      return &stack_.back()->back();
    }
    *slot_ = std::move(v);
    return slot_;
  }
  bool open(json v) {
    if (stack_.size() >= max_depth) fail(where(offset()), "nested too deeply");
    stack_.push_back(place(std::move(v)));
    opened_.push_back(offset() - 1);
    path_.emplace_back();
    return true;
  }
  bool close() {
    stack_.pop_back();
    opened_.pop_back();
    path_.pop_back();
    return true;
  }
  size_t offset() const { return static_cast<size_t>(furthest_ - text_.data()); }
  // Returns the place of the opening quotation mark of the key that was read last. Each character is counted only
  // once, however many keys there are.
  Place key_place() {
    size_t begin = offset() - 2;  // before the closing quotation mark
    const auto is_escaped = [this](size_t at) {
      size_t backslashes = 0;
      while (backslashes < at && text_[at - 1 - backslashes] == '\\') ++backslashes;
      return backslashes % 2 == 1;
    };
    while (text_[begin] != '"' || is_escaped(begin)) --begin;
    for (; counted_ < begin; ++counted_) {
      if (text_[counted_] != '\n') continue;
      ++line_;
      line_start_ = counted_ + 1;
    }
    return {line_, 1 + static_cast<int>(characters_in(text_.substr(line_start_, begin - line_start_)))};
  }
  Place where(size_t offset) const {
    const auto before = text_.substr(0, std::min(offset, text_.size()));
    const size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
    return {1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            1 + static_cast<int>(characters_in(before.substr(line_start)))};
  }
  [[noreturn]] void fail(Place at, std::string what) const {
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw Error(code_, name_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what);
  }

  std::string_view text_;
  const std::string& name_;
  ErrorCode code_;
  const char* furthest_ = nullptr;
  JsonDocument document_;
  // The open containers. The pointers stay valid, because a container does not grow while a child is open.
  std::vector<json*> stack_;
  std::vector<size_t> opened_;  // where each open container begins
  size_t counted_ = 0;          // number of characters counted in line_
  size_t line_start_ = 0;       // where that line begins
  int line_ = 1;
  std::vector<std::string> path_;
  json* slot_ = nullptr;
};

}  // namespace

KeyPlace JsonDocument::place(const std::string& path) const {
  const auto found = places.find(path);
  return found == places.end() ? KeyPlace{1, 1, 0} : found->second;
}

std::string JsonDocument::place_text(const std::string& name, const std::string& path) const {
  std::string known = path;
  while (places.count(known) == 0 && known.find('/') != std::string::npos) known.resize(known.rfind('/'));
  const KeyPlace at = place(known);
  return name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

JsonDocument parse_json_document(std::string_view text, const std::string& name, ErrorCode code) {
  return Builder(text, name, code).run();
}

json parse_json(std::string_view text, const std::string& name, ErrorCode code) {
  return parse_json_document(text, name, code).value;
}

std::string show(const json& value) {
  std::string text = value.is_string() ? "'" + value.get<std::string>() + "'"
                                       : value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool truthy(const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  return !value.is_null() && (!value.is_number() || value != 0);
}

nlohmann::json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_from_json(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

}  // namespace levin::core
