#include "column_types.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "../csv_columns.hpp"

namespace tables {
namespace {

// A target with up to this number of different integers is taken for classes.
constexpr size_t most_classes = 20;

class TypeFinder {
 public:
  TypeFinder(const common::CsvFile& file, const TypeOptions& options, const MissingTexts& missing)
      : file_(file), options_(options), missing_(missing), names_(common::column_names(file, options.header)) {}

  ColumnTypes find() const {
    ColumnTypes types;
    const size_t target = column(options_.target, "target");
    std::set<size_t> ignored = columns(options_.ignore, "ignore");
    if (!options_.group.empty()) ignored.insert(group_column(target));
    const std::set<size_t> categories = columns(options_.categories, "categories");
    types.target = type_of(target, options_.task == "classification");
    for (size_t c = 0; c < names_.size(); ++c) {
      if (c == target || ignored.count(c)) continue;
      if (names_[c].empty())
        types.unnamed.push_back(std::to_string(c));
      else
        types.inputs.push_back(type_of(c, categories.count(c) != 0));
    }
    if (types.inputs.empty())
      throw levin::Error(LEVIN_E_IO, file_.path + " has no column beside the target '" + types.target.name + "'" +
                                         options_.one_column_advice);
    types.header_of_numbers = options_.header && numbers_head_numbers(types.inputs);
    types.task = task_of(target, types.target);
    types.target.category = types.task == Task::classification;
    return types;
  }

 private:
  size_t first() const { return options_.header ? 1 : 0; }
  size_t column(const std::string& name, const char* option) const {
    return common::find_column(names_, name, option, file_.path);
  }
  std::set<size_t> columns(const std::string& list, const char* option) const {
    std::set<size_t> found;
    for (const std::string& name : common::list_of(list)) found.insert(column(name, option));
    return found;
  }

  size_t group_column(size_t target) const {
    const size_t group = column(options_.group, "group");
    if (group == target)
      throw levin::Error(LEVIN_E_INVALID, "--data.group " + options_.group +
                                              " is the target: to keep the shares of classes, give --data.stratify "
                                              "true");
    return group;
  }

  ColumnType type_of(size_t c, bool category) const {
    ColumnType type{names_[c], category, true};
    size_t n = 0, numbers = 0, with_comma = 0, odd_one = file_.records();
    for (size_t r = first(); r < file_.records(); ++r) {
      const std::string_view cell = file_.cell(r, c);
      if (missing_(cell)) continue;
      ++n;
      with_comma += has_decimal_comma(cell);
      if (number_in(cell))
        ++numbers;
      else
        odd_one = std::min(odd_one, r);
    }
    if (n == 0) refuse_empty(c);
    type.numeric = numbers == n;
    if (!type.numeric && !category && 2 * with_comma > n) refuse_commas(c, odd_one);
    if (!type.numeric && !category && 2 * numbers > n) {
      if (!options_.leave_out_damaged) refuse_mixed(c, odd_one);
      type.numeric = true;
    }
    type.category |= !type.numeric;
    return type;
  }
  [[noreturn]] void refuse_empty(size_t c) const {
    const bool is_target = c == column(options_.target, "target");
    throw levin::Error(
        LEVIN_E_IO, file_.path + ": column '" + names_[c] + "' has no value in any row" +
                        (is_target ? ", and it is the target" : ": leave it out by --data.ignore '" + names_[c] + "'"));
  }
  [[noreturn]] void refuse_commas(size_t c, size_t r) const {
    throw levin::Error(LEVIN_E_IO, file_.place(r) + ": column '" + names_[c] + "' is '" +
                                       std::string(file_.cell(r, c).substr(0, 60)) +
                                       "': are these decimal commas, then give --data.decimal_comma true");
  }
  [[noreturn]] void refuse_mixed(size_t c, size_t r) const {
    const bool is_target = c == column(options_.target, "target");
    const std::string text(file_.cell(r, c).substr(0, 60));
    throw levin::Error(
        LEVIN_E_IO,
        file_.place(r) + ": column '" + names_[c] + "' is '" + text + "', and most of its values are " + "numbers: " +
            (!options_.header && r == 0 ? "is the first line a header, then leave out --data.header false; " : "") +
            "correct it, add it to --data.missing_texts, or give " +
            (is_target ? "--data.task classification" : "--data.categories '" + names_[c] + "'") +
            "; --data.damaged skip leaves such rows out");
  }

  // Returns true if the header may be a row of data: all numeric columns have numbers as names.
  bool numbers_head_numbers(const std::vector<ColumnType>& inputs) const {
    bool any = false;
    for (const ColumnType& type : inputs) {
      if (!type.numeric) continue;
      if (!number_in(type.name)) return false;
      any = true;
    }
    return any;
  }

  Task task_of(size_t c, const ColumnType& target) const {
    if (options_.task == "classification") return Task::classification;
    if (options_.task == "regression") {
      if (!target.numeric) refuse_text(c);
      return Task::regression;
    }
    return target.numeric && !few_whole_numbers(c) ? Task::regression : Task::classification;
  }
  bool few_whole_numbers(size_t c) const {
    std::set<double> values;
    for (size_t r = first(); r < file_.records() && values.size() <= most_classes; ++r) {
      const std::optional<double> value = number_in(file_.cell(r, c));
      if (value && *value != std::floor(*value)) return false;
      if (value) values.insert(*value);
    }
    return values.size() <= most_classes;
  }
  [[noreturn]] void refuse_text(size_t c) const {
    size_t r = first();
    while (missing_(file_.cell(r, c)) || number_in(file_.cell(r, c))) ++r;
    throw levin::Error(LEVIN_E_IO, file_.place(r) + ": the target '" + names_[c] + "' is '" +
                                       std::string(file_.cell(r, c)) + "': --data.task regression needs numbers");
  }

  const common::CsvFile& file_;
  const TypeOptions& options_;
  const MissingTexts& missing_;
  const std::vector<std::string> names_;
};

}  // namespace

ColumnTypes column_types(const common::CsvFile& file, const TypeOptions& options, const MissingTexts& missing) {
  if (file.records() <= (options.header ? 1u : 0u))
    throw levin::Error(LEVIN_E_IO, file.path + " has a header and no rows");
  return TypeFinder(file, options, missing).find();
}

}  // namespace tables
