#include "report/timeline.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "sdk/include/levin/util/figure/axis.hpp"
#include "sdk/include/levin/util/figure/svg.hpp"

namespace levin::core::report {
namespace {

using detail::figure::Axis;
using detail::figure::Svg;

constexpr size_t most_rows = 64;
constexpr int width = 640, left = 130, right = 625, row_height = 18, top = 30;
constexpr int color_done = 0, color_failed = 3;

// At most 18 characters.
std::string short_name(const std::string& name) {
  const std::string text = printable(name);
  size_t shown = 0;
  for (size_t at = 0; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80 && ++shown == 18) return text.substr(0, at) + "…";
  return text;
}

void draw(Svg& out, const Axis& time, TimelineRow& row, double y) {
  out.label(left - 6, y + 12, "end", short_name(row.name));
  std::sort(row.bars.begin(), row.bars.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  for (size_t i = 0; i < row.bars.size();) {
    const bool failed = row.bars[i].failed;
    const double from = time.place(row.bars[i].from);
    double to = std::max(from + 0.5, time.place(row.bars[i].to));
    for (++i; i < row.bars.size() && row.bars[i].failed == failed; ++i) {
      const double begin = time.place(row.bars[i].from), end = time.place(row.bars[i].to);
      if (begin > to + 0.5 || (end - begin >= 2 && to - from >= 2)) break;
      to = std::max({to, end, begin + 0.5});
    }
    const double gap = to - from >= 3 ? 0.5 : 0;  // bars of one task after the other stay apart
    out.bar(from, y + 2, to - gap, y + row_height - 2, failed ? color_failed : color_done);
  }
}

}  // namespace

Picture timeline_of(const std::string& title, std::vector<TimelineRow> rows) {
  const size_t all = rows.size();
  rows.resize(std::min(all, most_rows));
  detail::figure::Range range;
  for (const TimelineRow& row : rows)
    for (const TimelineBar& bar : row.bars) range.add(bar.from), range.add(bar.to);
  const int bottom = top + row_height * static_cast<int>(rows.size());
  const Axis time(range, false, left, right);
  Svg out(width, bottom + 40, title);
  out.label(left, 18, "start",
            all > most_rows
                ? title + " (the first " + std::to_string(most_rows) + " of " + std::to_string(all) + " workers)"
                : title,
            "bold");
  for (const auto& tick : time.ticks(8)) {
    out.rule(time.place(tick.value), top, time.place(tick.value), bottom, "grid");
    out.label(time.place(tick.value), bottom + 15, "middle", tick.text);
  }
  out.rule(left, bottom, right, bottom, "axis");
  out.label((left + right) / 2.0, bottom + 32, "middle", "seconds");
  for (size_t i = 0; i < rows.size(); ++i) draw(out, time, rows[i], top + row_height * static_cast<double>(i));
  return {title, out.text()};
}

}  // namespace levin::core::report
