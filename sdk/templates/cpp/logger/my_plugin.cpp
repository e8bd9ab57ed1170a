// Writes each metric as a line "step name value".
#include <levin/logger.hpp>

#include <fstream>
#include <string>

namespace {

class MyPlugin : public levin::Logger {
 public:
  static constexpr levin_option options[] = {levin::text("file", "\"lines.txt\"", "file in the run's folder")};
  explicit MyPlugin(const levin::Args& args) : file_(args.text("file")) {}

  void begin(const levin::LoggerBegin& run) {
    const std::string path = run.run_dir + "/" + file_;
    out_.open(path, std::ios::app);
    if (!out_) throw levin::Error(LEVIN_E_IO, "cannot write " + path);
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

 private:
  std::string file_;
  std::ofstream out_;
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0",
             levin::logger<MyPlugin>("my_plugin", "Writes each metric as a line"))
