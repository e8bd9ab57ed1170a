// Writes metrics.csv and hparams.yaml into the run's folder, byte for byte as Lightning's CSVLogger does.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../common/hparams_file.hpp"
#include "../common/text_file.hpp"
#include "flush_rule.hpp"
#include "levin/logger.hpp"
#include "levin/set_aside.hpp"
#include "levin/text.hpp"
#include "table.hpp"

namespace fs = std::filesystem;

namespace levin::csv {
namespace {

// Whether the value is a whole number that a double holds exactly, without -0.
bool is_count(double value) {
  return std::trunc(value) == value && std::abs(value) < 9007199254740992.0 && !(value == 0 && std::signbit(value));
}

Table read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return parse(text.str());
}

class Csv : public Logger {
 public:
  static constexpr levin_option options[] = {
      text("prefix", "\"\"", "put before each metric's name, with a -"),
      integer("flush_logs_every_n_steps", "100", "write at least after so many steps", 1, 1e15),
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
    if (b.resumed_step >= 0) {
      if (fs::exists(path_)) resume(b.resumed_step);
      return;
    }
    if (const std::string kept = set_aside(path_); !kept.empty())
      warn("metrics.csv of an earlier run in " + b.run_dir + " is now " + kept);
    fs::remove(path_);
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
    rows_.clear();
  }

  void finalize(const std::string&) { flush(); }

 private:
  // Only the epoch is written as an integer.
  static std::string cell(const std::string& name, double value) {
    return name == "epoch" && is_count(value) ? std::to_string(static_cast<int64_t>(value)) : shortest(value);
  }

  // Continues the existing file, without the rows that were logged after the checkpoint.
  void resume(int64_t step) {
    Table table = read(path_);
    const auto dropped = [&](const Row& row) { return later(row, step); };
    table.rows.erase(std::remove_if(table.rows.begin(), table.rows.end(), dropped), table.rows.end());
    columns_ = table.columns;
    loggers::replace_text(path_, table.text());
  }

  std::string prefix_;
  int64_t every_;
  loggers::HparamsFile hparams_;
  fs::path path_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;  // the rows that are not yet written
};

}  // namespace
}  // namespace levin::csv

LEVIN_PLUGIN("levin.csv", "0.1.0", "Apache-2.0",
             levin::logger<levin::csv::Csv>("csv", "Writes metrics to metrics.csv"));
