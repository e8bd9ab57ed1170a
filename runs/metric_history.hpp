// Every value of every metric that a run has logged.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runs/event_reader.hpp"
#include "runs/followed_file.hpp"

namespace levin::core {

struct MetricHistory {
  std::string name;
  std::vector<double> steps, epochs, values;  // of equal length; epochs: NaN = not known
};

// Reads the metrics of a run folder, and reads on when its file has grown. The file is metrics.csv, else metrics.jsonl,
// else the event files of TensorBoard, which other programs write too.
class MetricReader {
 public:
  explicit MetricReader(std::filesystem::path run) : run_(std::move(run)), events_(run_) {}

  // Reads what is new, about `most` bytes of it. Starts again if the file was replaced or shortened, as by a resume.
  // Lines that are unfinished are left for the next call, and damaged ones are left out. Returns true if anything
  // changed.
  bool update(size_t most = ~size_t{0});
  bool whole() const { return whole_; }                    // the last update has read everything
  bool is_full() const { return values_ >= most_values; }  // later values are left out

  static constexpr size_t most_values = 20000000;

  const std::map<std::string, MetricHistory>& metrics() const { return metrics_; }
  const EventReader& events() const { return events_; }

 private:
  void forget();
  size_t read_lines(const std::string& text, void (MetricReader::*read)(const std::string&));
  void read_csv_line(const std::string& line);
  void read_json_line(const std::string& line);
  void read_scalars();
  void add(const std::string& name, double step, double epoch, double value);

  const std::filesystem::path run_;
  EventReader events_;
  std::unique_ptr<FollowedFile> table_;  // metrics.csv or metrics.jsonl
  std::vector<std::string> columns_;     // of the csv
  size_t values_ = 0;                    // of all metrics
  size_t scalars_ = 0;                   // of the event files, that have been added
  std::map<std::string, MetricHistory> metrics_;
  bool changed_ = false, whole_ = false;
};

// Reads everything once.
std::map<std::string, MetricHistory> read_metric_history(const std::filesystem::path& run);

}  // namespace levin::core
