#include "host/launcher/output/line_splitter.hpp"

#include <utility>

namespace levin::core {
namespace {

constexpr size_t longest_line = 65536;

}  // namespace

std::vector<std::string> LineSplitter::add(std::string_view bytes) {
  std::vector<std::string> out;
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    partial_.append(bytes.substr(0, end));
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (end == std::string_view::npos && partial_.size() < longest_line) break;
    if (!partial_.empty() && partial_.back() == '\r') partial_.pop_back();
    out.push_back(std::exchange(partial_, {}));
  }
  return out;
}

std::vector<std::string> LineSplitter::rest() {
  if (partial_.empty()) return {};
  return {std::exchange(partial_, {})};
}

}  // namespace levin::core
