#include "statistics.hpp"

#include <algorithm>
#include <tuple>

#include "levin/error.hpp"
#include "values.hpp"

namespace tables {
namespace {

constexpr char after_each = '\0';  // does not occur in the texts of a CSV file

// The letters of the kinds in a checkpoint.
constexpr std::string_view letters = "ncd";

// Visits all columns, the targets last.
template <class S, class F>
void each_column(S& statistics, F&& use) {
  for (auto& column : statistics.inputs) use(column);
  for (auto& column : statistics.targets) use(column);
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
  constexpr const char* of_kinds[] = {"numbers", "categories", "dates"};
  if (saved.kind != now.kind)
    return column + "had " + of_kinds[static_cast<size_t>(saved.kind)] + ", and now it has " +
           (now.category() ? "text" : of_kinds[static_cast<size_t>(now.kind)]);
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
    kinds += letters[static_cast<size_t>(column.kind)];
    for (const double number : {column.shift, column.scale, column.fill}) numbers.push_back(number);
    counts.push_back(static_cast<int64_t>(column.categories.size()));
    for (const std::string& text : column.categories) categories += text + after_each;
  });
  writer.put("names", names);
  writer.put("kinds", kinds);
  writer.put("shift_scale_fill", numbers);
  writer.put("category_counts", counts);
  writer.put("categories", categories);
  writer.put("targets", static_cast<int64_t>(targets.size()));
  window.save(writer);
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
  int64_t n_targets = 1;
  reader.get("targets", n_targets);
  window.load(reader);
  reader.get("rows", rows);
  reader.get("checksum", checksum);
  const std::vector<std::string> columns = cut(names), texts = cut(categories);
  size_t used = 0, at = 0;
  bool whole = n_targets > 0 && columns.size() > static_cast<size_t>(n_targets) && kinds.size() == columns.size() &&
               counts.size() == columns.size() && numbers.size() == 3 * columns.size() &&
               kinds.find_first_not_of(letters) == kinds.npos;
  targets.assign(whole ? static_cast<size_t>(n_targets) : 0, {});
  inputs.assign(columns.size() - targets.size(), {});
  if (whole)
    each_column(*this, [&](ColumnStatistics& column) {
      const size_t n = static_cast<size_t>(counts[at]);
      whole = whole && n <= texts.size() - used;
      if (!whole) return;
      column = {columns[at],         static_cast<Kind>(letters.find(kinds[at])),
                numbers[3 * at],     numbers[3 * at + 1],
                numbers[3 * at + 2], {}};
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
    return ColumnType{column.name, column.kind, std::all_of(texts.begin(), texts.end(), numeric)};
  };
  ColumnTypes out;
  for (const ColumnStatistics& column : inputs) out.inputs.push_back(type_of(column));
  for (const ColumnStatistics& column : targets) out.targets.push_back(type_of(column));
  out.task = targets[0].category() ? Task::classification : Task::regression;
  return out;
}

bool operator==(const Statistics& a, const Statistics& b) {
  const auto same = [](const ColumnStatistics& x, const ColumnStatistics& y) {
    return std::tie(x.name, x.kind, x.shift, x.scale, x.fill, x.categories) ==
           std::tie(y.name, y.kind, y.shift, y.scale, y.fill, y.categories);
  };
  return std::tie(a.rows, a.checksum) == std::tie(b.rows, b.checksum) && a.window == b.window &&
         std::equal(a.targets.begin(), a.targets.end(), b.targets.begin(), b.targets.end(), same) &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), same);
}

std::string difference(const Statistics& saved, const Statistics& now) {
  if (!(saved.window == now.window))
    return "it had " + saved.window.text() + ", and now there are " + now.window.text();
  for (const auto& [what, was, is] :
       {std::tuple("input", &saved.inputs, &now.inputs), std::tuple("target", &saved.targets, &now.targets)}) {
    const auto same_name = [](const ColumnStatistics& a, const ColumnStatistics& b) { return a.name == b.name; };
    if (!std::equal(was->begin(), was->end(), is->begin(), is->end(), same_name))
      return std::string("the ") + what + (was->size() == 1 ? " was " : "s were ") + quoted(*was) + ", and now " +
             (is->size() == 1 ? "it is " : "they are ") + quoted(*is);
    for (size_t i = 0; i < was->size(); ++i) {
      const std::string text = difference_of((*was)[i], (*is)[i]);
      if (!text.empty()) return text;
    }
  }
  return "";
}

}  // namespace tables
