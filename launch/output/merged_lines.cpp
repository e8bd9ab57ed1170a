#include "launch/output/merged_lines.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

constexpr size_t longest_line = 65536;

}  // namespace

std::string label_of(const std::set<int>& ranks) {
  std::vector<std::string> parts;
  for (auto from = ranks.begin(); from != ranks.end();) {
    auto to = from;
    while (std::next(to) != ranks.end() && *std::next(to) == *to + 1) ++to;
    parts.push_back(std::to_string(*from) + (from == to ? "" : "-" + std::to_string(*to)));
    from = std::next(to);
  }
  return (ranks.size() == 1 ? "[rank " : "[ranks ") + join(parts, ",") + "] ";
}

void MergedLines::add(int rank, int fd, const std::string& text, Clock::time_point now) {
  // Searches only after the rank's own last line on this stream, so that its lines keep their order.
  const auto own = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                [&](const Line& l) { return l.fd == fd && l.ranks.count(rank) != 0; });
  const auto same =
      std::find_if(own.base(), waiting_.end(), [&](const Line& l) { return l.fd == fd && l.text == text; });
  if (same == waiting_.end())
    waiting_.push_back({{rank}, fd, text, now});
  else
    same->ranks.insert(rank);
  print_due(now);
}

void MergedLines::print_due(Clock::time_point now) {
  while (!waiting_.empty() && (waiting_.front().ranks.size() == ranks_ || waiting_.front().since + wait <= now))
    print_first();
}

void MergedLines::print_all() {
  while (!waiting_.empty()) print_first();
}

void MergedLines::print_first() {
  const Line& line = waiting_.front();
  print_(line.fd, label_of(line.ranks) + line.text);
  waiting_.pop_front();
}

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
