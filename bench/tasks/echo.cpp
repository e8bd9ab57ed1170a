// Tasks of one size, whose handle returns when it began. "sleep SECONDS" in the file of tasks makes each take so long.
#include <levin/tasks.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace {

// "TASKS BYTES SECONDS": the file.
class Echo : public levin::Tasks {
 public:
  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    size_t count = 0, bytes = 0;
    std::string seconds;
    if (!(in >> count >> bytes >> seconds)) throw levin::Error(LEVIN_E_IO, file + " is not 'TASKS BYTES SECONDS'");
    std::string data = seconds + " ";
    data.resize(std::max(bytes, data.size()), 'x');
    for (size_t i = 0; i < count; ++i) tasks.add(data);
  }
  std::string handle(const levin::Task& task) {
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    const double seconds = std::stod(std::string(task.data().substr(0, 20)));
    if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    char text[80];
    std::snprintf(text, sizeof text, "%.6f %d", now.count(), static_cast<int>(::getpid()));
    return text;
  }
  void sum(levin::Results& results, levin::Output& output) {
    for (levin::Result result; results.next(result);) output.write(result.text() + "\n");
  }
};

}  // namespace

LEVIN_PLUGIN("org.levin.bench.tasks", "1.0.0", "Apache-2.0", levin::tasks<Echo>("echo", "Tasks that do nothing"))
