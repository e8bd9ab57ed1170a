#include "host/runs/last_metrics.hpp"

#include <cstdlib>
#include <fstream>
#include <vector>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

constexpr std::streamoff most_of_table = 1 << 20;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out = {""};
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      out.emplace_back();
    else if (line[i] != '\r')
      out.back() += line[i];
  }
  return out;
}

// Returns the end of the file from the start of a line, without an unfinished last line.
std::string tail_of(std::ifstream& in) {
  const std::streamoff begin = in.tellg();
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg(), from = std::max(begin, size - most_of_table);
  in.seekg(from);
  std::string text(static_cast<size_t>(std::max<std::streamoff>(size - from, 0)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (from > begin) text.erase(0, text.find('\n') == std::string::npos ? text.size() : text.find('\n') + 1);
  text.erase(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n'));
  return text;
}

// The row of a test has the number of completed epochs as its epoch, and other rows the index of theirs.
bool has_only_test_metrics(const std::vector<std::string>& names, const std::vector<std::string>& cells) {
  bool any = false;
  for (size_t i = 0; i < cells.size() && i < names.size(); ++i) {
    if (cells[i].empty() || names[i] == "epoch" || names[i] == "step") continue;
    if (!starts_with(names[i], "test_")) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::map<std::string, double> last_metrics(const std::filesystem::path& file) {
  std::map<std::string, double> out;
  std::error_code unknown;
  std::string header;
  std::ifstream in;
  if (std::filesystem::is_regular_file(file, unknown)) in.open(file, std::ios::binary);
  if (!in.is_open() || !std::getline(in, header) || in.eof()) return out;
  const std::vector<std::string> names = cells_of(header);
  for (const std::string& line : split(tail_of(in), '\n')) {
    const std::vector<std::string> cells = cells_of(line);
    const bool of_test = has_only_test_metrics(names, cells);
    for (size_t i = 0; i < cells.size() && i < names.size(); ++i) {
      char* end = nullptr;
      const double value = std::strtod(cells[i].c_str(), &end);
      if (cells[i].empty() || *end != '\0' || (of_test && names[i] == "epoch")) continue;
      out[names[i]] = value;
    }
  }
  return out;
}

}  // namespace levin::core
