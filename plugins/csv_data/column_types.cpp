#include "column_types.hpp"

#include <cmath>
#include <set>

#include "../common/csv_columns.hpp"

namespace csv_data {
namespace {

// Whole numbers of which there are no more are taken for classes.
constexpr size_t most_classes = 20;

class TypeFinder {
 public:
  TypeFinder(const common::CsvFile& file, const TypeWishes& wishes, const MissingTexts& missing)
      : file_(file), wishes_(wishes), missing_(missing), names_(common::column_names(file, wishes.header)) {}

  ColumnTypes find() const {
    ColumnTypes types;
    const size_t target = column(wishes_.target, "target");
    const std::set<size_t> ignored = columns(wishes_.ignore, "ignore");
    const std::set<size_t> categories = columns(wishes_.categories, "categories");
    types.target = type_of(target, false);
    for (size_t c = 0; c < names_.size(); ++c) {
      if (c == target || ignored.count(c)) continue;
      if (names_[c].empty())
        types.unnamed.push_back(std::to_string(c));
      else
        types.inputs.push_back(type_of(c, categories.count(c) != 0));
    }
    if (types.inputs.empty())
      throw levin::Error(LEVIN_E_INVALID, file_.path + " has no column beside the target '" + types.target.name +
                                              "': is another delimiter used? (--data.delimiter)");
    types.task = task_of(target, types.target);
    types.target.category = types.task == Task::classification;
    return types;
  }

 private:
  size_t first() const { return wishes_.header ? 1 : 0; }
  size_t column(const std::string& name, const char* option) const {
    return common::find_column(names_, name, option, file_.path);
  }
  std::set<size_t> columns(const std::string& list, const char* option) const {
    std::set<size_t> found;
    for (const std::string& name : common::list_of(list)) found.insert(column(name, option));
    return found;
  }

  ColumnType type_of(size_t c, bool category) const {
    ColumnType type{names_[c], category, true};
    bool any = false;
    for (size_t r = first(); r < file_.records(); ++r) {
      const std::string_view cell = file_.cell(r, c);
      if (missing_(cell)) continue;
      any = true;
      if (!number_in(cell)) type.numeric = false;
    }
    if (!any)
      throw levin::Error(LEVIN_E_INVALID,
                         file_.path + ": column '" + type.name + "' has no value in any row" +
                             (c == column(wishes_.target, "target") ? ", and it is the target"
                                                                    : ": leave it out by --data.ignore " + type.name));
    type.category |= !type.numeric;
    return type;
  }

  Task task_of(size_t c, const ColumnType& target) const {
    if (wishes_.task == "classification") return Task::classification;
    if (wishes_.task == "regression") {
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
    throw levin::Error(LEVIN_E_INVALID, file_.place(r) + ": the target '" + names_[c] + "' is '" +
                                            std::string(file_.cell(r, c)) + "': --data.task regression needs numbers");
  }

  const common::CsvFile& file_;
  const TypeWishes& wishes_;
  const MissingTexts& missing_;
  const std::vector<std::string> names_;
};

}  // namespace

ColumnTypes column_types(const common::CsvFile& file, const TypeWishes& wishes, const MissingTexts& missing) {
  if (file.records() <= (wishes.header ? 1u : 0u))
    throw levin::Error(LEVIN_E_INVALID, file.path + " has a header and no rows");
  return TypeFinder(file, wishes, missing).find();
}

}  // namespace csv_data
