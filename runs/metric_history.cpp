#include "runs/metric_history.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "runs/csv_line.hpp"
#include "runs/event_records.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

constexpr size_t bytes_at_once = 8 << 20;
constexpr size_t remembered = 64;  // bytes before the offset, by which a replaced file is recognized

class MetricFile {
 public:
  // FIFOs and devices are not opened: reading them would block.
  explicit MetricFile(const fs::path& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    known_ = fd_ >= 0 && ::fstat(fd_, &facts_) == 0 && S_ISREG(facts_.st_mode);
  }
  ~MetricFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  MetricFile(const MetricFile&) = delete;
  MetricFile& operator=(const MetricFile&) = delete;

  explicit operator bool() const { return known_; }
  uint64_t inode() const { return facts_.st_ino; }
  uint64_t size() const { return static_cast<uint64_t>(facts_.st_size); }

  std::string bytes(uint64_t offset, size_t most) const {
    std::string out(most, '\0');
    const ssize_t n = ::pread(fd_, out.data(), most, static_cast<off_t>(offset));
    out.resize(n > 0 ? static_cast<size_t>(n) : 0);
    return out;
  }

 private:
  int fd_;
  struct stat facts_ {};
  bool known_ = false;
};

}  // namespace

std::vector<fs::path> MetricReader::files() const {
  for (const char* name : {"metrics.csv", "metrics.jsonl"})
    if (is_file(run_ / name)) return {run_ / name};
  std::vector<fs::path> out;
  std::error_code unknown;
  for (fs::directory_iterator at(run_, unknown), end; !unknown && at != end; at.increment(unknown))
    if (starts_with(at->path().filename().string(), "events.out.tfevents.")) out.push_back(at->path());
  std::sort(out.begin(), out.end());
  return out;
}

void MetricReader::forget() {
  places_.clear();
  columns_.clear();
  metrics_.clear();
}

bool MetricReader::update() {
  const std::vector<fs::path> found = files();
  const uint64_t before = added_;
  bool again = found.size() < places_.size();
  for (size_t i = 0; i < places_.size() && !again; ++i) {
    const Place& place = places_[i];
    const MetricFile file(found[i]);
    const size_t n = place.last.size();
    again = place.file != found[i] || !file || file.inode() != place.inode || file.size() < place.offset ||
            file.bytes(place.offset - n, n) != place.last;
  }
  if (again) forget();
  for (size_t i = places_.size(); i < found.size(); ++i) places_.push_back({found[i], 0, 0, ""});
  for (Place& place : places_)
    while (read_on(place)) {
    }
  return again || added_ != before;
}

// Returns true if there may be more to read.
bool MetricReader::read_on(Place& place) {
  const MetricFile file(place.file);
  if (!file || file.size() <= place.offset) return false;
  place.inode = file.inode();
  size_t most = bytes_at_once;
  std::string bytes = file.bytes(place.offset, most);
  const bool events = starts_with(place.file.filename().string(), "events.");
  size_t used = events ? read_events(bytes) : read_lines(place, bytes);
  // A line or a record that is longer than what was read.
  while (used == 0 && bytes.size() == most && most < (size_t{1} << 30)) {
    most *= 4;
    bytes = file.bytes(place.offset, most);
    used = events ? read_events(bytes) : read_lines(place, bytes);
  }
  if (used == 0) return false;
  place.offset += used;
  place.last = bytes.substr(used - std::min(used, remembered), std::min(used, remembered));
  return true;
}

// Returns the number of bytes of the lines that end.
size_t MetricReader::read_lines(const Place& place, const std::string& text) {
  const bool csv = place.file.extension() == ".csv";
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    csv ? read_csv_line(line) : read_json_line(line);
  }
  return begin;
}

void MetricReader::add(const std::string& name, double step, double epoch, double value) {
  MetricHistory& history = metrics_[name];
  if (history.name.empty()) history.name = name;
  history.steps.push_back(step);
  history.epochs.push_back(epoch);
  history.values.push_back(value);
  ++added_;
}

void MetricReader::read_csv_line(const std::string& line) {
  const std::vector<std::string> cells = csv_cells(line);
  if (columns_.empty()) {
    columns_ = cells;
    return;
  }
  double step = NAN, epoch = NAN;
  for (size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    if (columns_[i] == "step") step = number_in_cell(cells[i]).value_or(NAN);
    if (columns_[i] == "epoch") epoch = number_in_cell(cells[i]).value_or(NAN);
  }
  if (!std::isfinite(step)) return;
  for (size_t i = 0; i < cells.size() && i < columns_.size(); ++i)
    if (const auto value = number_in_cell(cells[i]); value && columns_[i] != "step" && columns_[i] != "epoch")
      add(columns_[i], step, epoch, *value);
}

void MetricReader::read_json_line(const std::string& line) {
  const nlohmann::json one = nlohmann::json::parse(line, nullptr, false);
  if (!one.is_object() || !one.contains("step") || !one["step"].is_number()) return;
  const auto metrics = one.find("metrics");
  if (metrics == one.end() || !metrics->is_object()) return;
  const double epoch = one.contains("epoch") && one["epoch"].is_number() ? one["epoch"].get<double>() : NAN;
  for (const auto& [name, value] : metrics->items()) {
    const auto number = value.is_number()   ? std::optional<double>(value.get<double>())
                        : value.is_string() ? number_in_cell(value.get<std::string>())
                                            : std::nullopt;
    if (number) add(name, one["step"].get<double>(), epoch, *number);
  }
}

size_t MetricReader::read_events(const std::string& bytes) {
  return read_event_records(bytes,
                            [this](const std::string& tag, double step, double value) { add(tag, step, NAN, value); });
}

std::map<std::string, MetricHistory> read_metric_history(const fs::path& run) {
  MetricReader reader(run);
  reader.update();
  return reader.metrics();
}

}  // namespace levin::core
