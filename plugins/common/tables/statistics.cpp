#include "statistics.hpp"

#include <algorithm>
#include <tuple>

#include "levin/error.hpp"
#include "values.hpp"

namespace tables {
namespace {

constexpr char after_each = '\0';  // does not occur in the texts of a CSV file

// Visits all columns, the target last.
template <class S, class F>
void each_column(S& statistics, F&& use) {
  for (auto& column : statistics.inputs) use(column);
  use(statistics.target);
}

std::vector<std::string> cut(const std::string& joined) {
  std::vector<std::string> texts;
  for (size_t begin = 0, end; (end = joined.find(after_each, begin)) != std::string::npos; begin = end + 1)
    texts.push_back(joined.substr(begin, end - begin));
  return texts;
}

std::string quoted(const std::vector<ColumnStatistics>& columns) {
  std::string text;
  for (const ColumnStatistics& column : columns) text += (text.empty() ? "'" : ", '") + column.name + "'";
  return text;
}

std::string difference_of(const ColumnStatistics& saved, const ColumnStatistics& now) {
  const std::string column = "column '" + saved.name + "' ";
  if (saved.category != now.category)
    return column + (saved.category ? "had categories, and now it has numbers" : "had numbers, and now it has text");
  if (saved.width() != now.width())
    return column + "had " + std::to_string(saved.width()) + " different texts, and now it has " +
           std::to_string(now.width());
  return "";
}

}  // namespace

void Statistics::save(levin::Writer writer) const {
  std::string names, kinds, categories;
  std::vector<double> numbers;
  std::vector<int64_t> counts;
  each_column(*this, [&](const ColumnStatistics& column) {
    names += column.name + after_each;
    kinds += column.category ? 'c' : 'n';
    for (const double number : {column.shift, column.scale, column.fill}) numbers.push_back(number);
    counts.push_back(static_cast<int64_t>(column.categories.size()));
    for (const std::string& text : column.categories) categories += text + after_each;
  });
  writer.put("names", names);
  writer.put("kinds", kinds);
  writer.put("shift_scale_fill", numbers);
  writer.put("category_counts", counts);
  writer.put("categories", categories);
  writer.put("rows", rows);
  writer.put("checksum", checksum);
}

bool Statistics::load(levin::Reader reader) {
  std::string names, kinds, categories;
  std::vector<double> numbers;
  std::vector<int64_t> counts;
  if (!reader.get("names", names) || !reader.get("kinds", kinds) || !reader.get("shift_scale_fill", numbers) ||
      !reader.get("category_counts", counts) || !reader.get("categories", categories))
    return false;
  reader.get("rows", rows);
  reader.get("checksum", checksum);
  const std::vector<std::string> columns = cut(names), texts = cut(categories);
  size_t used = 0, at = 0;
  bool whole = !columns.empty() && kinds.size() == columns.size() && counts.size() == columns.size() &&
               numbers.size() == 3 * columns.size();
  inputs.assign(whole ? columns.size() - 1 : 0, {});
  if (whole)
    each_column(*this, [&](ColumnStatistics& column) {
      const size_t n = static_cast<size_t>(counts[at]);
      whole = whole && n <= texts.size() - used;
      if (!whole) return;
      column = {columns[at], kinds[at] == 'c', numbers[3 * at], numbers[3 * at + 1], numbers[3 * at + 2], {}};
      column.categories.assign(texts.begin() + static_cast<ptrdiff_t>(used),
                               texts.begin() + static_cast<ptrdiff_t>(used + n));
      used += n, ++at;
    });
  if (!whole) throw levin::Error(LEVIN_E_STATE, "the columns that the checkpoint keeps are damaged");
  return true;
}

ColumnTypes Statistics::types() const {
  const auto type_of = [](const ColumnStatistics& column) {
    const auto numeric = [](const std::string& text) {
      const std::optional<double> number = number_in(text);
      return text.empty() || (number && category_of(text, *number) == text);
    };
    const auto& texts = column.categories;
    return ColumnType{column.name, column.category, std::all_of(texts.begin(), texts.end(), numeric)};
  };
  ColumnTypes out;
  for (const ColumnStatistics& column : inputs) out.inputs.push_back(type_of(column));
  out.target = type_of(target);
  out.task = target.category ? Task::classification : Task::regression;
  return out;
}

bool operator==(const Statistics& a, const Statistics& b) {
  const auto same = [](const ColumnStatistics& x, const ColumnStatistics& y) {
    return std::tie(x.name, x.category, x.shift, x.scale, x.fill, x.categories) ==
           std::tie(y.name, y.category, y.shift, y.scale, y.fill, y.categories);
  };
  return std::tie(a.rows, a.checksum) == std::tie(b.rows, b.checksum) && same(a.target, b.target) &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), same);
}

std::string difference(const Statistics& saved, const Statistics& now) {
  const auto same_names = [&] {
    if (saved.inputs.size() != now.inputs.size()) return false;
    for (size_t i = 0; i < saved.inputs.size(); ++i)
      if (saved.inputs[i].name != now.inputs[i].name) return false;
    return true;
  };
  if (!same_names()) return "the inputs were " + quoted(saved.inputs) + ", and now they are " + quoted(now.inputs);
  for (size_t i = 0; i < saved.inputs.size(); ++i) {
    const std::string text = difference_of(saved.inputs[i], now.inputs[i]);
    if (!text.empty()) return text;
  }
  if (saved.target.name != now.target.name)
    return "the target was '" + saved.target.name + "', and now it is '" + now.target.name + "'";
  return difference_of(saved.target, now.target);
}

}  // namespace tables
