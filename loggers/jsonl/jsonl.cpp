// Writes metrics.jsonl into the run folder, with one JSON object per line.
#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "../common/append_file.hpp"
#include "../common/text_file.hpp"
#include "levin/logger.hpp"
#include "levin/util/set_aside.hpp"
#include "line.hpp"

namespace fs = std::filesystem;

namespace levin::jsonl {
namespace {

class Jsonl : public Logger {
 public:
  static constexpr levin_option options[] = {
      text("filename", "\"metrics.jsonl\"", "file name in the run folder"),
      text("prefix", "\"\"", "prefix of the metric names, joined with -"),
  };
  static constexpr uint64_t flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit Jsonl(const Args& args) : filename_(args.text("filename")), prefix_(args.text("prefix")) {
    if (filename_.empty()) throw Error(LEVIN_E_INVALID, "filename is empty: give a name such as metrics.jsonl");
    if (!prefix_.empty()) prefix_ += "-";
  }

  void begin(const LoggerBegin& b) {
    fs::create_directories(b.run_dir);
    path_ = fs::path(b.run_dir) / filename_;
    loggers::remove_text(path_.string() + ".new");  // left over from a killed run
    if (b.resumed_step >= 0 && fs::exists(fs::symlink_status(path_))) cut(b.resumed_step);
    position_.reset();
    if (const std::string kept = b.resumed_step < 0 ? set_aside(path_) : ""; !kept.empty())
      warn(filename_ + " of an earlier run in " + b.run_dir + " is now " + kept);
    file_ = loggers::AppendFile::open(path_, b.resumed_step >= 0 ? O_APPEND : O_TRUNC);
    if (!file_) throw Error(LEVIN_E_IO, "cannot write " + path_.string() + ": " + std::strerror(errno));
    bytes_ = fs::file_size(path_);
    if (b.resumed_step < 0 && (!b.run_name.empty() || !b.tags.empty())) write(run_line(b.run_name, b.tags));
  }

  void metrics(int64_t step, const Metrics& m) {
    Values values;
    for (uint32_t i = 0; i < m.size; ++i) {
      const std::string name = m.names[i];
      values.emplace_back(name == "epoch" ? name : prefix_ + name, m.values[i]);
    }
    write(line(step, now(), values));
  }

  void flush() {
    if (file_) file_->flush();
  }
  void finalize(const std::string&) {
    flush();
    file_.reset();
  }

  // Saves the number of bytes to keep on resume. The host syncs the file before the checkpoint becomes visible.
  void save(Writer writer) const {
    if (file_) file_->flush();
    writer.put("bytes", position_.value_or(bytes_));
  }
  void load(Reader reader) {
    uint64_t bytes;
    if (reader.get("bytes", bytes)) position_ = bytes;
  }

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  }
  void write(const std::string& text) {
    if (!file_) throw Error(LEVIN_E_IO, "there is no " + filename_ + ": begin comes before, finalize behind");
    file_->write(text);
    bytes_ += text.size();
  }

  // Drops the lines that were logged after the checkpoint.
  void cut(int64_t step) {
    const std::string text = loggers::read_text(path_);
    if (position_ && text.size() < *position_)
      warn(filename_ + " has " + std::to_string(text.size()) + " bytes, and " + std::to_string(*position_) +
           " were written before the checkpoint");
    loggers::replace_text(path_, position_ ? whole_lines(text, *position_) : lines_until(text, step));
  }

  std::string filename_, prefix_;
  fs::path path_;
  std::unique_ptr<loggers::AppendFile> file_;
  uint64_t bytes_ = 0;                // size of the file, including buffered bytes
  std::optional<uint64_t> position_;  // from the checkpoint, until begin
};

}  // namespace
}  // namespace levin::jsonl

LEVIN_PLUGIN("levin.jsonl", "0.1.0", "Apache-2.0",
             levin::logger<levin::jsonl::Jsonl>("jsonl", "Writes metrics as one JSON object a line"));
