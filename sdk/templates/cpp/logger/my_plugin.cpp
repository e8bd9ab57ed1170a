// Writes each metric as a line "step name value".
#include <levin/logger.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

class MyPlugin : public levin::Logger {
 public:
  static constexpr levin_option options[] = {levin::text("file", "\"lines.txt\"", "file in the run's folder")};
  explicit MyPlugin(const levin::Args& args) : file_(args.text("file")) {}

  void begin(const levin::LoggerBegin& run) {
    path_ = run.run_dir + "/" + file_;
    // A resumed run logs again what came after its checkpoint.
    if (run.resumed_step >= 0 && std::filesystem::exists(path_))
      std::filesystem::resize_file(path_, std::min(bytes_, uint64_t{std::filesystem::file_size(path_)}));
    out_.open(path_, std::ios::app);
    if (!out_) throw levin::Error(LEVIN_E_IO, "cannot write " + path_);
  }
  void metrics(int64_t step, const levin::Metrics& metrics) {
    for (uint32_t i = 0; i < metrics.size; ++i)
      out_ << step << ' ' << metrics.names[i] << ' ' << metrics.values[i] << '\n';
  }
  void flush() { out_.flush(); }
  void finalize(const std::string& status) {
    out_ << status << '\n';
    out_.close();
  }

  // For checkpoints, each of which comes after a flush: how far the file is.
  void save(levin::Writer out) const {
    out.put("bytes", path_.empty() ? bytes_ : uint64_t{std::filesystem::file_size(path_)});
  }
  void load(levin::Reader in) { in.get("bytes", bytes_); }

 private:
  std::string file_, path_;
  std::ofstream out_;
  uint64_t bytes_ = 0;  // of the checkpoint
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0",
             levin::logger<MyPlugin>("my_plugin", "Writes each metric as a line"))
