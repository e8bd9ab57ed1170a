#include "rows.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace tables {
namespace {

constexpr const char* split_names[] = {"training", "validation", "test", "prediction"};

// Returns where a part begins in rows that are ordered by time. Rows of one time stay together, in the later part.
size_t begin_of(const std::vector<uint32_t>& part, const std::vector<double>& times, size_t without_part) {
  if (part.empty()) return without_part;
  size_t begin = part[0];
  while (begin > 0 && times[begin - 1] == times[begin]) --begin;
  return begin;
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
      shape_(options.windows.shape),
      checksum_(checksum_of(first)) {
  if (!options.types.group.empty()) groups_ = keys_in(first, options.types.header, options.types.group, "group");
  if (!first.damaged.empty())
    options.splitting.refuse_lists("the rows have no sure numbers, because " + first.damaged[0]);
  add(first, false);
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
  make_windows();
}

Rows::Rows(const Options& options, const Source& source, const Statistics& trained, levin::Split split,
           const std::string& path)
    : options_(options),
      source_(source),
      types_(trained.types()),
      table_(types_, options.types.header, options.types.leave_out_damaged, options.missing_texts, "the checkpoint"),
      shape_(trained.window),
      in_first_file_(0),
      checksum_(0) {
  splits_[static_cast<size_t>(split)] = rows_in(path, split == levin::Split::predict);
  report_damaged();
  make_windows();
}

void Rows::add(const common::CsvFile& file, bool predict) {
  table_.add(file, predict);
  if (shape_.length > 0) timeline_.add(file, options_.types.header, shape_, options_.windows.max_gap);
}

void Rows::make_windows() {
  for (size_t s = 0; s < LEVIN_SPLITS; ++s) {
    windows_[s] = shape_.length == 0 ? single_rows(splits_[s])
                                     : windows_in(splits_[s], timeline_, shape_, options_.windows.stride,
                                                  /*with_targets=*/s != LEVIN_PREDICT);
    if (!windows_[s].begins.empty() || splits_[s].empty()) continue;
    std::string text = "no window fits into the " + std::string(split_names[s]) + " rows: " + shape_.text() + " need " +
                       std::to_string(shape_.length + (s == LEVIN_PREDICT ? 0 : shape_.last_step)) +
                       " rows without a gap, and the longest run has " + std::to_string(windows_[s].longest);
    if (!shape_.time.empty() && timeline_.max_gap() > 0)
      text += "; a gap is more than " + text_of(timeline_.max_gap()) + " from row to row (--data.max_gap)";
    throw levin::Error(LEVIN_E_IO, text);
  }
}

common::SplitRows Rows::split() const {
  if (shape_.length > 0 && !options_.splitting.groups()) return split_in_order();
  return options_.splitting.split(static_cast<int64_t>(known_.size()),
                                  options_.splitting.stratifies() ? classes() : groups_.at(known_), [this] {
                                    return common::RowNames{{}, known_};
                                  });
}

// By time, the first rows train, and the last ones validate and test: those of all series at the same time, or, without
// a column of times, those of each series.
common::SplitRows Rows::split_in_order() const {
  std::map<uint32_t, std::vector<uint32_t>> pieces;  // places in known_
  for (uint32_t i = 0; i < known_.size(); ++i)
    pieces[shape_.time.empty() ? timeline_.series(known_[i]) : 0].push_back(i);
  common::SplitRows out;
  for (auto& piece : pieces) {
    std::vector<uint32_t>& places = piece.second;
    const auto time = [this](uint32_t place) { return timeline_.time(known_[place]); };
    std::stable_sort(places.begin(), places.end(), [&](uint32_t a, uint32_t b) { return time(a) < time(b); });
    std::vector<double> times;
    for (const uint32_t place : places) times.push_back(time(place));
    const common::SplitRows split = options_.splitting.split(static_cast<int64_t>(places.size()));
    const size_t test = begin_of(split.test, times, places.size());
    const size_t val = std::min(test, begin_of(split.val, times, test));
    if (val == 0) refuse_one_time(known_[places[0]]);
    const auto at = [&](size_t i) { return places.begin() + static_cast<ptrdiff_t>(i); };
    out.train.insert(out.train.end(), places.begin(), at(val));
    out.val.insert(out.val.end(), at(val), at(test));
    out.test.insert(out.test.end(), at(test), places.end());
  }
  for (std::vector<uint32_t>* rows : {&out.train, &out.val, &out.test}) std::sort(rows->begin(), rows->end());
  return out;
}

void Rows::refuse_one_time(uint32_t row) const {
  throw levin::Error(LEVIN_E_INVALID, "--data.time: " + table_.place(row) +
                                          ": all rows that could train have the time of this one, and the last rows "
                                          "validate and test: give less --data.val_fraction or --data.test_fraction");
}

common::RowKeys Rows::classes() const {
  const Column& target = table_.targets()[0];
  if (!target.type.category())
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
  const uint32_t begin = table_.rows();
  add(file, predict);
  count_damaged(file, begin);
  return usable(path, begin, predict);
}

}  // namespace tables
