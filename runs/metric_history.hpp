// Every value of every metric that a run has logged.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace levin::core {

struct MetricHistory {
  std::string name;
  std::vector<double> steps, epochs, values;  // of equal length; epochs: NaN = not known
};

// Reads the metrics of a run folder, and reads on when its file has grown. The file is metrics.csv, else metrics.jsonl,
// else the event files of TensorBoard, which other programs write too.
class MetricReader {
 public:
  explicit MetricReader(std::filesystem::path run) : run_(std::move(run)) {}

  // Reads what is new. Starts again if the file was replaced or shortened, as by a resume. Lines that are unfinished
  // are left for the next call, and damaged ones are left out. Returns true if a value was read or the file has
  // changed.
  bool update();

  const std::map<std::string, MetricHistory>& metrics() const { return metrics_; }

 private:
  struct Place {  // how far a file was read
    std::filesystem::path file;
    uint64_t inode = 0, offset = 0;
    std::string last;  // the last bytes before the offset
  };

  std::vector<std::filesystem::path> files() const;
  void forget();
  bool read_on(Place& place);
  size_t read_lines(const Place& place, const std::string& text);
  void read_csv_line(const std::string& line);
  void read_json_line(const std::string& line);
  size_t read_events(const std::string& bytes);
  void add(const std::string& name, double step, double epoch, double value);

  const std::filesystem::path run_;
  std::vector<Place> places_;
  std::vector<std::string> columns_;  // of the csv
  std::map<std::string, MetricHistory> metrics_;
  uint64_t added_ = 0;
};

// Reads everything once.
std::map<std::string, MetricHistory> read_metric_history(const std::filesystem::path& run);

}  // namespace levin::core
