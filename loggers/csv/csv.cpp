// Writes metrics.csv and hparams.yaml into the run folder, byte for byte as Lightning's CSVLogger.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "../common/hparams_file.hpp"
#include "../common/text_file.hpp"
#include "flush_rule.hpp"
#include "levin/logger.hpp"
#include "levin/util/set_aside.hpp"
#include "levin/util/terminal.hpp"
#include "levin/util/text.hpp"
#include "table.hpp"

namespace fs = std::filesystem;

namespace levin::csv {
namespace {

// Returns true if the value is an integer that a double holds exactly, except -0.
bool is_count(double value) {
  return std::trunc(value) == value && std::abs(value) < 9007199254740992.0 && !(value == 0 && std::signbit(value));
}

Table read(const fs::path& path) { return parse(loggers::read_text(path)); }

// The content of metrics.csv at a checkpoint.
struct Position {
  int64_t rows = 0;
  std::string columns;  // the header line
};

class Csv : public Logger {
 public:
  static constexpr levin_option options[] = {
      text("prefix", "\"\"", "prefix of the metric names, joined with -"),
      integer("flush_logs_every_n_steps", "100", "write at least every N steps", 1, 1e15),
  };
  static constexpr uint64_t flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit Csv(const Args& args) : prefix_(args.text("prefix")), every_(args.integer("flush_logs_every_n_steps")) {
    if (!prefix_.empty()) prefix_ += "-";
  }

  void begin(const LoggerBegin& b) {
    fs::create_directories(b.run_dir);
    path_ = fs::path(b.run_dir) / "metrics.csv";
    hparams_.write(b.run_dir, b.hparams_json);
    columns_.clear();
    rows_.clear();
    written_ = 0;
    loggers::remove_text(path_.string() + ".new");  // left over from a killed run
    if (b.resumed_step >= 0) return resume(b.resumed_step);
    position_.reset();
    if (const std::string kept = set_aside(path_); !kept.empty())
      warn("metrics.csv of an earlier run in " + b.run_dir + " is now " + kept);
    loggers::remove_text(path_);
  }

  void metrics(int64_t step, const Metrics& m) {
    if (step < 0) step = static_cast<int64_t>(rows_.size());
    Row row;
    for (uint32_t i = 0; i < m.size; ++i) row[prefix_ + m.names[i]] = cell(m.names[i], m.values[i]);
    row["step"] = std::to_string(step);
    rows_.push_back(row);
    if (flush_due(step, every_)) flush();
  }

  void hparams(const std::string& json) { hparams_.add(json); }

  void flush() {
    if (rows_.empty()) return;
    bool wider = false;
    for (const Row& row : rows_) wider |= add_columns(columns_, row);
    if (!fs::exists(path_) || wider) {
      Table table = fs::exists(path_) ? read(path_) : Table{};
      table.columns = columns_;
      table.rows.insert(table.rows.end(), rows_.begin(), rows_.end());
      loggers::replace_text(path_, table.text());
    } else {
      std::string text;
      for (const Row& row : rows_) text += line(columns_, row);
      loggers::write_text(path_, text, std::ios::app);
    }
    written_ += static_cast<int64_t>(rows_.size());
    rows_.clear();
  }

  void finalize(const std::string& status) {
    flush();
    if (status == "success" && written_ > 1) info("metrics: " + path_from_here(path_));
  }

  // Saves the number of rows to keep on resume. The host syncs the file before the checkpoint becomes visible.
  void save(Writer writer) const {
    const Position now = position_.value_or(Position{written_, columns_.empty() ? "" : line(columns_)});
    writer.put("rows", now.rows);
    writer.put("columns", now.columns);
  }
  void load(Reader reader) {
    Position saved;
    if (reader.get("rows", saved.rows) && reader.get("columns", saved.columns)) position_ = saved;
  }

 private:
  // Only the epoch is written as an integer.
  static std::string cell(const std::string& name, double value) {
    return name == "epoch" && is_count(value) ? std::to_string(static_cast<int64_t>(value)) : shortest(value);
  }

  // Continues the existing file, without the rows that were logged after the checkpoint.
  void resume(int64_t step) {
    const std::optional<Position> position = std::exchange(position_, std::nullopt);
    Table table = fs::exists(fs::symlink_status(path_)) ? read(path_) : Table{};
    if (!table.has("step")) table = {};
    const int64_t expected = position ? position->rows : 0;
    if (table.columns.empty() || static_cast<int64_t>(table.rows.size()) < expected)
      tell_of_lost_rows(table.rows.size(), expected);
    position ? table.cut(static_cast<size_t>(position->rows), position->columns) : table.cut_after(step);
    columns_ = table.columns;
    written_ = static_cast<int64_t>(table.rows.size());
    if (columns_.empty())
      loggers::remove_text(path_);
    else
      loggers::replace_text(path_, table.text());
  }

  // Warns of lost rows. The existing file is kept beside the new one, because it may be the only copy.
  void tell_of_lost_rows(size_t found, int64_t expected) const {
    const std::string kept = set_aside(path_);
    if (kept.empty() && expected == 0) return;  // no file, and none expected
    warn((expected == 0 ? "metrics.csv is no table of metrics"
                        : "metrics.csv has " + std::to_string(found) + " of the " + std::to_string(expected) +
                              " rows that were logged before the checkpoint") +
         (kept.empty() ? "" : "; the file as it was is now " + kept));
  }

  std::string prefix_;
  int64_t every_;
  loggers::HparamsFile hparams_;
  fs::path path_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;             // rows not yet written
  int64_t written_ = 0;               // number of rows written
  std::optional<Position> position_;  // from the checkpoint, until begin
};

}  // namespace
}  // namespace levin::csv

LEVIN_PLUGIN("levin.csv", "0.1.0", "Apache-2.0",
             levin::logger<levin::csv::Csv>("csv", "Writes metrics to metrics.csv"));
