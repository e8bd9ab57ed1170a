#include "npy_header.hpp"

#include <charconv>

namespace arrays {
namespace {

constexpr uint64_t max_header = 65536;
constexpr size_t header_dimensions = 32;  // as in NumPy

// Parses a literal such as {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class Literal {
 public:
  Literal(const Bytes& file, std::string_view text) : file_(file), text_(text) {}

  void read(Header& out) {
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !descr)
        descr = true, out.descr = type();
      else if (key == "fortran_order" && !order)
        order = true, out.fortran_order = boolean();
      else if (key == "shape" && !shape)
        shape = true, out.shape = sizes();
      else
        fail("'" + key + "' is unknown or given twice");
      if (take(',')) continue;
      expect('}');
      break;
    }
    blanks();
    if (!text_.empty()) fail("there is text behind it");
    if (!descr || !order || !shape) fail("descr, fortran_order or shape is missing");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { file_.fail("has a header that cannot be read: " + what); }

  void blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
  }
  bool take(char c) {
    blanks();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("'") + c + "' is missing");
  }
  std::string quoted() {
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const size_t end = text_.find(quote);
    if (end == text_.npos || text_.substr(0, end).find('\\') != text_.npos) fail("a text is not closed");
    std::string out(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return out;
  }
  // Returns a data type. The fields of a structured type are skipped.
  std::string type() {
    if (!take('[')) return quoted();
    for (size_t open = 1; open > 0; text_.remove_prefix(1)) {
      blanks();
      if (text_.empty()) fail("']' is missing");
      if (text_[0] == '[') ++open;
      if (text_[0] == ']') --open;
    }
    return "structured";
  }
  bool boolean() {
    blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(0, word.size()) != word) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail("fortran_order is neither True nor False");
  }
  std::vector<int64_t> sizes() {
    std::vector<int64_t> out;
    expect('(');
    while (!take(')')) {
      blanks();
      int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0) fail("its shape has a size that is no number");
      if (out.size() == header_dimensions) fail("its shape has more than 32 dimensions");
      text_.remove_prefix(static_cast<size_t>(end - text_.data()));
      if (!text_.empty() && text_[0] == 'L') text_.remove_prefix(1);  // a long integer of Python 2
      out.push_back(size);
      if (take(',')) continue;
      if (out.size() == 1) fail("its shape is no tuple");  // (3) is a number in Python
      expect(')');
      break;
    }
    return out;
  }

  const Bytes& file_;
  std::string_view text_;
};

}  // namespace

Header read_header(const Bytes& file) {
  if (!file.starts_with(npy_mark)) file.fail("is not a .npy file: it does not begin with \\x93NUMPY");
  const uint64_t major = file.number(6, 1), minor = file.number(7, 1);
  if (major < 1 || major > 3 || minor != 0)
    file.fail("has version " + std::to_string(major) + "." + std::to_string(minor) +
              " of the format; 1.0, 2.0 and 3.0 are read");
  const unsigned width = major == 1 ? 2 : 4;
  const uint64_t bytes = file.number(8, width);
  if (bytes > max_header) file.fail("has a header of " + std::to_string(bytes) + " bytes; up to 65536 are read");
  Header out;
  out.begin = 8 + width + bytes;
  Literal(file, file.text(8 + width, bytes)).read(out);
  return out;
}

}  // namespace arrays
