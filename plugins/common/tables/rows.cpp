#include "rows.hpp"

#include <iterator>
#include <unordered_map>

namespace tables {
namespace {

// Returns the group of each row.
common::RowKeys groups_in(const common::CsvFile& file, const TypeOptions& options) {
  common::RowKeys groups;
  if (options.group.empty()) return groups;
  const size_t column =
      common::find_column(common::column_names(file, options.header), options.group, "group", file.path);
  std::unordered_map<std::string, uint32_t> known;
  for (size_t r = options.header ? 1 : 0; r < file.records(); ++r) {
    const std::string_view cell = file.cell(r, column);
    const std::optional<double> number = number_in(cell);
    const std::string text = number ? category_of(cell, *number) : std::string(trimmed(cell));
    if (text.empty())
      throw levin::Error(LEVIN_E_IO,
                         file.place(r) + ": the column '" + options.group + "' of --data.group has no value");
    const auto [at, is_new] = known.emplace(text, static_cast<uint32_t>(groups.names.size()));
    if (is_new) groups.names.push_back(text);
    groups.of.push_back(at->second);
  }
  return groups;
}

}  // namespace

uint64_t checksum_of(const common::CsvFile& file) {  // FNV-1a over the texts of the cells
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  const auto add = [&sum](char c) { sum = (sum ^ static_cast<uint8_t>(c)) * UINT64_C(0x100000001b3); };
  for (const std::string_view cell : file.cells) {
    for (const char c : cell) add(c);
    add('\0');
  }
  return sum;
}

Rows::Rows(const common::CsvFile& first, const Options& options, const Source& source)
    : options_(options),
      source_(source),
      types_(column_types(first, options.types, options.missing_texts)),
      table_(types_, options.types.header, options.types.leave_out_damaged, options.missing_texts),
      checksum_(checksum_of(first)),
      groups_(groups_in(first, options.types)) {
  table_.add(first, false);
  count_damaged(first, 0);
  in_first_file_ = table_.rows();
}

Rows::Rows(const Options& options, const Source& source) : Rows(source.read(options.train), options, source) {
  known_ = usable(options.train, 0, false);
  if (known_.empty())
    throw levin::Error(
        LEVIN_E_IO, options.train + ": every row has a missing value" + (damaged_.any() ? " or cannot be used" : ""));
  const common::SplitRows split_rows = split();
  const std::vector<uint32_t>* places[] = {&split_rows.train, &split_rows.val, &split_rows.test};
  for (size_t s = 0; s < 3; ++s)
    for (const uint32_t place : *places[s]) splits_[s].push_back(known_[place]);
  if (!options.val.empty()) splits_[LEVIN_VAL] = rows_in(options.val, false);
  if (!options.test.empty()) splits_[LEVIN_TEST] = rows_in(options.test, false);
  if (!options.predict.empty())
    splits_[LEVIN_PREDICT] = rows_in(options.predict, true);
  else
    splits_[LEVIN_PREDICT] = splits_[LEVIN_TEST].empty() ? known_ : splits_[LEVIN_TEST];
  report_damaged();
}

Rows::Rows(const Options& options, const Source& source, const Statistics& trained, levin::Split split,
           const std::string& path)
    : options_(options),
      source_(source),
      types_(trained.types()),
      table_(types_, options.types.header, options.types.leave_out_damaged, options.missing_texts, "the checkpoint"),
      in_first_file_(0),
      checksum_(0) {
  splits_[static_cast<size_t>(split)] = rows_in(path, split == levin::Split::predict);
  report_damaged();
}

common::SplitRows Rows::split() const {
  return options_.splitting.split_with_test(static_cast<int64_t>(known_.size()), options_.test_fraction,
                                            !options_.val.empty(),
                                            options_.splitting.stratifies() ? classes() : groups_.at(known_));
}

common::RowKeys Rows::classes() const {
  const Column& target = table_.target();
  if (!target.type.category)
    throw levin::Error(LEVIN_E_INVALID, "--data.stratify needs classes, and the target '" + target.type.name +
                                            "' is a number: leave it out, or give --data.task classification");
  common::RowKeys classes{{}, target.texts};
  for (const uint32_t row : known_) classes.of.push_back(static_cast<uint32_t>(target.values[row]));
  return classes;
}

std::vector<uint32_t> Rows::usable(const std::string& path, uint32_t begin, bool predict) {
  std::vector<uint32_t> rows = usable_rows(table_, begin, table_.rows(), options_.missing, predict);
  const auto& damaged = table_.damaged();
  const auto n_damaged = static_cast<size_t>(std::distance(damaged.lower_bound(begin), damaged.end()));
  const size_t all = table_.rows() - begin, dropped = all - rows.size() - n_damaged;
  if (dropped > 0)
    remarks_.push_back(path + ": left out " + std::to_string(dropped) + " of " + std::to_string(all) +
                       " rows, which have missing values");
  return rows;
}

void Rows::count_damaged(const common::CsvFile& file, uint32_t begin) {
  damaged_.count(table_.rows() - begin + file.damaged.size());
  for (const std::string& reason : file.damaged) damaged_.add(reason);
  for (auto row = table_.damaged().lower_bound(begin); row != table_.damaged().end(); ++row) damaged_.add(row->second);
}

void Rows::report_damaged() {
  if (!damaged_.any()) return;
  if (options_.damaged == "check") throw levin::Error(LEVIN_E_IO, damaged_.text());
  remarks_.push_back("left out: " + damaged_.text());
}

std::vector<uint32_t> Rows::rows_in(const std::string& path, bool predict) {
  const common::CsvFile file = source_.read(path);
  const uint32_t begin = table_.add(file, predict);
  count_damaged(file, begin);
  return usable(path, begin, predict);
}

}  // namespace tables
