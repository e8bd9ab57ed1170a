#include "csv_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "not_opened.hpp"
#include "utf8.hpp"

namespace common {
namespace {

constexpr size_t most_bytes_of_a_cell = size_t{1} << 20;

[[noreturn]] void fail(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

std::vector<char> bytes_of(const std::string& path) {
  if (path.empty()) fail("no CSV file is named");
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail(path + " is a folder; name the CSV file in it");
  if (std::filesystem::is_character_file(path, error)) fail(path + " is a device; name a file");
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) fail_to_open("cannot open " + path, errno);
  std::vector<char> bytes;
  for (size_t n = 0, chunk = size_t{1} << 20;; chunk *= 2) {
    bytes.resize(n + chunk);
    const size_t got = std::fread(bytes.data() + n, 1, chunk, file.get());
    n += got;
    if (got == chunk) continue;
    if (std::ferror(file.get())) fail("cannot read " + path + ": " + std::strerror(errno));
    bytes.resize(n);
    return bytes;
  }
}

bool begins(const std::vector<char>& bytes, std::string_view with) {
  return bytes.size() >= with.size() && std::memcmp(bytes.data(), with.data(), with.size()) == 0;
}

void refuse_other_formats(const std::vector<char>& bytes, const std::string& path) {
  if (bytes.empty()) fail(path + " is empty");
  if (begins(bytes, "\x1f\x8b")) fail(path + " is compressed by gzip; unpack it");
  if (begins(bytes, "PK\3\4")) fail(path + " is a ZIP archive, perhaps a spreadsheet; save it as CSV");
}

// Cuts the buffer into cells. Quoted cells are unquoted in place.
class Cutter {
 public:
  Cutter(CsvFile& file, size_t begin, char delimiter, bool skip_damaged)
      : file_(file),
        p_(file.buffer.data() + begin),
        end_(file.buffer.data() + file.buffer.size()),
        mark_(delimiter),
        skip_damaged_(skip_damaged) {}

  void run() {
    while (p_ < end_) {
      if (end_of_line()) continue;  // an empty line
      const size_t before = file_.cells.size();
      try {
        record();
      } catch (const levin::Error& e) {
        if (!skip_damaged_ || file_.columns == 0 || unclosed_) throw;
        file_.cells.resize(before);
        file_.damaged.emplace_back(e.what());
        file_.left_out.push_back(file_.records());
        skip_line();
      }
    }
  }

 private:
  void record() {
    const uint32_t line = line_;
    const size_t before = file_.cells.size();
    do {
      file_.cells.push_back(cell());
    } while (p_ < end_ && *p_ == mark_ && ++p_);
    const size_t n = file_.cells.size() - before;
    if (file_.columns == 0) file_.columns = n;
    if (n != file_.columns)
      fail(file_.path + ":" + std::to_string(line) + ": " + std::to_string(n) +
           (n == 1 ? " field, where the first line has " : " fields, where the first line has ") +
           std::to_string(file_.columns));
    end_of_line();
    file_.lines.push_back(line);
  }

  void skip_line() {
    while (p_ < end_ && *p_ != '\n' && *p_ != '\r') ++p_;
    end_of_line();
  }

  std::string_view cell() {
    const bool quoted = p_ < end_ && *p_ == '"';
    const std::string_view text = quoted ? quoted_cell() : plain_cell();
    if (text.size() > most_bytes_of_a_cell) fail(here() + ": a field of more than 1 MiB: is a quote missing?");
    return text;
  }
  std::string_view plain_cell() {
    const char* begin = p_;
    while (p_ < end_ && *p_ != mark_ && *p_ != '\n' && *p_ != '\r') ++p_;
    return {begin, static_cast<size_t>(p_ - begin)};
  }
  std::string_view quoted_cell() {
    const uint32_t line = line_;
    char *begin = ++p_, *out = begin;
    for (;; ++p_) {
      if (p_ == end_) {
        unclosed_ = true;
        fail(file_.path + ":" + std::to_string(line) + ": a quote is opened here and never closed");
      }
      if (*p_ == '"') {
        if (++p_ == end_ || *p_ != '"') break;
      } else if (*p_ == '\n') {
        ++line_;
      }
      *out++ = *p_;
    }
    if (p_ < end_ && *p_ != mark_ && *p_ != '\n' && *p_ != '\r')
      fail(here() + ": text behind a closing quote; a quote within a quoted field has to be doubled");
    return {begin, static_cast<size_t>(out - begin)};
  }

  // Skips a line end (LF, CRLF or CR) and returns true, or returns false if there is none.
  bool end_of_line() {
    if (p_ == end_ || (*p_ != '\n' && *p_ != '\r')) return false;
    if (*p_ == '\r' && p_ + 1 < end_ && p_[1] == '\n') ++p_;
    ++p_, ++line_;
    return true;
  }
  std::string here() const { return file_.path + ":" + std::to_string(line_); }

  CsvFile& file_;
  char *p_, *end_;
  const char mark_;
  const bool skip_damaged_;
  bool unclosed_ = false;  // the rest of the file is in quotes
  uint32_t line_ = 1;
};

char guess_delimiter(const std::vector<char>& bytes, size_t begin) {
  constexpr std::string_view candidates = ",;\t|";
  size_t counts[candidates.size()] = {};
  bool quoted = false;
  for (size_t i = begin; i < bytes.size() && (quoted || (bytes[i] != '\n' && bytes[i] != '\r')); ++i) {
    if (bytes[i] == '"') quoted = !quoted;
    const size_t found = candidates.find(bytes[i]);
    if (!quoted && found != std::string_view::npos) ++counts[found];
  }
  return candidates[static_cast<size_t>(std::max_element(counts, counts + candidates.size()) - counts)];
}

}  // namespace

CsvFile read_csv(const std::string& path, char delimiter, bool skip_damaged) {
  CsvFile file;
  file.path = path;
  file.buffer = bytes_of(path);
  refuse_other_formats(file.buffer, path);
  const std::string problem = encoding_problem({file.buffer.data(), file.buffer.size()}, path);
  if (!problem.empty()) fail(problem);
  const size_t begin = begins(file.buffer, byte_order_mark) ? byte_order_mark.size() : 0;
  Cutter(file, begin, delimiter ? delimiter : guess_delimiter(file.buffer, begin), skip_damaged).run();
  if (file.lines.empty()) fail(path + " is empty");
  return file;
}

char delimiter_of(const std::string& text) {
  constexpr struct {
    const char* word;
    char delimiter;
  } words[] = {{"auto", 0}, {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"\\t", '\t'}, {"space", ' '}};
  for (const auto& known : words)
    if (text == known.word) return known.delimiter;
  const bool plain = text.size() == 1 && text != "\"" && text != "\n" && text != "\r";
  if (plain && static_cast<unsigned char>(text[0]) < 0x80) return text[0];
  throw levin::Error(LEVIN_E_INVALID,
                     "delimiter is '" + text + "': give one character, or one of auto, comma, semicolon, tab, space");
}

}  // namespace common
