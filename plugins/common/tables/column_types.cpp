#include "column_types.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "../csv_columns.hpp"
#include "chosen_columns.hpp"
#include "times.hpp"

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
    const std::vector<size_t> targets = named_columns(names_, options_.target, "target", file_.path);
    const std::map<size_t, size_t> chosen = chosen_columns(names_, lists(), file_.path);
    const std::set<size_t> keys = key_columns(targets, chosen);
    for (const size_t c : targets) types.targets.push_back(target_type(c));
    for (size_t c = 0; c < names_.size(); ++c) {
      const auto of = chosen.find(c);
      const bool target = std::find(targets.begin(), targets.end(), c) != targets.end();
      if (keys.count(c) || (target && !options_.targets_are_inputs)) continue;
      if (of != chosen.end() && of->second == ignored) continue;
      if (names_[c].empty())
        types.unnamed.push_back(std::to_string(c));
      else
        types.inputs.push_back(of == chosen.end() ? type_of(c, std::nullopt) : type_of(c, kinds[of->second]));
    }
    if (types.inputs.empty())
      throw levin::Error(LEVIN_E_IO, file_.path + " has no column beside the target '" + types.targets[0].name + "'" +
                                         options_.one_column_advice);
    types.header_of_numbers = options_.header && numbers_head_numbers(types.inputs);
    types.task = targets.size() == 1 ? task_of(targets[0], types.targets[0]) : task_of_several(targets, types.targets);
    if (types.task == Task::classification) types.targets[0].kind = Kind::category;
    return types;
  }

 private:
  // The lists of columns: those of each kind, and those that are left out.
  static constexpr Kind kinds[] = {Kind::number, Kind::category, Kind::date};
  static constexpr size_t ignored = std::size(kinds);
  std::vector<ColumnList> lists() const {
    return {{"numbers", options_.numbers},
            {"categories", options_.categories},
            {"dates", options_.dates},
            {"ignore", options_.ignore}};
  }

  size_t first() const { return options_.header ? 1 : 0; }

  // Returns the columns that group and order the rows. They are no inputs, except series and times that a list names.
  std::set<size_t> key_columns(const std::vector<size_t>& targets, const std::map<size_t, size_t>& chosen) const {
    std::set<size_t> found;
    const auto take = [&](const std::string& name, const char* option, bool may_be_input) {
      if (name.empty()) return;
      const size_t column = common::find_column(names_, name, option, file_.path);
      if (std::find(targets.begin(), targets.end(), column) != targets.end()) refuse_key(name, option);
      if (!may_be_input || !chosen.count(column)) found.insert(column);
    };
    take(options_.group, "group", false);
    take(options_.series, "series", true);
    take(options_.time, "time", true);
    return found;
  }
  [[noreturn]] static void refuse_key(const std::string& name, const std::string& option) {
    throw levin::Error(LEVIN_E_INVALID,
                       "--data." + option + " " + name + " is the target" +
                           (option == "group" ? ": to keep the shares of classes, give --data.stratify true" : ""));
  }

  // What the values of a column are.
  struct Counts {
    size_t values = 0, numbers = 0, with_comma = 0, thousands = 0, dates = 0;
    size_t no_number, no_date;  // the first record whose value is none
  };
  Counts counts_of(size_t c) const {
    Counts n;
    n.no_number = n.no_date = file_.records();
    for (size_t r = first(); r < file_.records(); ++r) {
      const std::string_view cell = file_.cell(r, c);
      if (missing_(cell)) continue;
      ++n.values;
      if (number_in(cell)) {
        ++n.numbers;
        continue;
      }
      n.with_comma += has_decimal_comma(cell) || has_thousands_comma(cell);
      n.thousands += has_thousands_comma(cell);
      n.no_number = std::min(n.no_number, r);
      n.dates += is_full_date(cell);
      if (n.no_date > r && !time_in(cell)) n.no_date = r;
    }
    if (n.values == 0) refuse_empty(c);
    return n;
  }

  ColumnType target_type(size_t c) const {
    if (options_.task == "classification") return type_of(c, Kind::category);
    ColumnType type = type_of(c, std::nullopt);
    if (!type.numeric) type.kind = Kind::category;  // dates too
    return type;
  }
  // wish: the kind that an option gives the column.
  ColumnType type_of(size_t c, std::optional<Kind> wish) const {
    const Counts n = counts_of(c);
    ColumnType type{names_[c], wish.value_or(Kind::number), n.numbers == n.values};
    if (wish == Kind::date) {
      if (n.no_date < file_.records() && !options_.leave_out_damaged) refuse_date(c, n.no_date);
      return type;
    }
    if (type.numeric || wish == Kind::category) return type;
    if (2 * n.with_comma > n.values) refuse_commas(c, n.no_number, n.thousands == n.with_comma);
    if (wish == Kind::number || 2 * n.numbers > n.values) {
      if (!options_.leave_out_damaged) refuse_mixed(c, n.no_number, wish.has_value());
      type.numeric = true;
      return type;
    }
    type.kind = n.dates == n.values ? Kind::date : Kind::category;
    return type;
  }
  [[noreturn]] void refuse_empty(size_t c) const {
    throw levin::Error(LEVIN_E_IO, file_.path + ": column '" + names_[c] + "' has no value in any row" +
                                       (is_target(c) ? ", and it is the target"
                                                     : ": leave it out by --data.ignore '" + names_[c] + "'"));
  }
  [[noreturn]] void refuse_commas(size_t c, size_t r, bool thousands) const {
    throw levin::Error(LEVIN_E_IO, file_.place(r) + ": column '" + names_[c] + "' is '" +
                                       std::string(file_.cell(r, c).substr(0, 60)) +
                                       (thousands ? "': if these commas separate thousands, take them out of the "
                                                    "file; if they are decimal commas, give"
                                                  : "': if these are decimal commas, give") +
                                       " --data.decimal_comma true");
  }
  [[noreturn]] void refuse_date(size_t c, size_t r) const {
    throw levin::Error(LEVIN_E_IO, file_.place(r) + ": column '" + names_[c] + "' is '" +
                                       std::string(file_.cell(r, c).substr(0, 60)) + "', which is no " + a_time +
                                       ": correct it, or take the column out of --data.dates");
  }
  [[noreturn]] void refuse_mixed(size_t c, size_t r, bool is_named) const {
    const std::string text(file_.cell(r, c).substr(0, 60));
    throw levin::Error(
        LEVIN_E_IO,
        file_.place(r) + ": column '" + names_[c] + "' is '" + text + "', and " +
            (is_named ? "--data.numbers names this column: " : "most of its values are numbers: ") +
            (!options_.header && r == 0 ? "is the first line a header, then leave out --data.header false; " : "") +
            "correct it, add it to --data.missing_texts, or give " +
            (is_target(c) ? "--data.task classification" : "--data.categories '" + names_[c] + "'") +
            "; --data.damaged skip leaves such rows out");
  }

  bool is_target(size_t c) const {
    const std::vector<size_t> targets = named_columns(names_, options_.target, "target", file_.path);
    return std::find(targets.begin(), targets.end(), c) != targets.end();
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
  Task task_of_several(const std::vector<size_t>& columns, const std::vector<ColumnType>& targets) const {
    if (options_.task == "classification")
      throw levin::Error(LEVIN_E_INVALID, "--data.target names " + std::to_string(targets.size()) +
                                              " columns, and --data.task classification predicts one");
    for (size_t i = 0; i < targets.size(); ++i)
      if (!targets[i].numeric) refuse_text(columns[i]);
    return Task::regression;
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
    throw levin::Error(LEVIN_E_IO,
                       file_.place(r) + ": the target '" + names_[c] + "' is '" + std::string(file_.cell(r, c)) +
                           "': --data.task regression" +
                           (common::list_of(options_.target).size() > 1 ? " and several targets need" : " needs") +
                           " numbers");
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
