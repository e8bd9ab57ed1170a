// A component whose tasks do what their lines say: "ok", "sleep SECONDS", "throw", "crash", "exit", "hang", "large
// MIB", "memory MIB", "child SECONDS" and "orphan SECONDS", which start a process and then hang or crash, or "once
// KIND", which does KIND in the first attempt only. "padded MIB KIND" makes the task so large. "first_slow FILE" is
// slow unless FILE is there. "alone FOLDER" fails if another task has its GPUs. "user" has the user's id as its result.
// "hostile" has a name and an error that no page may execute.
// "needs NAME=VALUE,NAME=VALUE KIND" is a task with these needs. The output has a line for each result.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "levin/tasks.hpp"

namespace {

void fault(const std::string& kind) {
  if (kind == "throw") throw levin::Error(LEVIN_E_INVALID, "this task throws");
  if (kind == "hostile") throw levin::Error(LEVIN_E_INVALID, "<script>alert(1)</script>\x1b[31m \xff & \"'| done");
  if (kind == "crash") std::raise(SIGSEGV);
  if (kind == "exit") std::exit(7);
  if (kind == "hang")
    for (;;) pause();
}

// Takes "needs gpus=2,labels=a+b " off the front.
levin::TaskOptions needs_in(std::string& line) {
  levin::TaskOptions out;
  if (line.compare(0, 6, "needs ") != 0) return out;
  const size_t end = line.find(' ', 6);
  std::istringstream parts(line.substr(6, end - 6));
  for (std::string part; std::getline(parts, part, ',');) {
    const std::string name = part.substr(0, part.find('=')), value = part.substr(part.find('=') + 1);
    if (name == "cpus") out.cpus = static_cast<uint32_t>(std::stoul(value));
    if (name == "gpus") out.gpus = static_cast<uint32_t>(std::stoul(value));
    if (name == "memory") out.memory = std::stoull(value);
    if (name == "label") out.labels += (out.labels.empty() ? "" : ",") + value;
  }
  line = line.substr(end + 1);
  return out;
}

// Nobody else has one of the process's GPUs at the same time.
void check_alone(const std::string& folder) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  std::istringstream names(visible ? visible : "none");
  std::vector<std::string> made;
  for (std::string name; std::getline(names, name, ',');) {
    made.push_back(folder + "/" + name);
    if (mkdir(made.back().c_str(), 0777) != 0)
      throw levin::Error(LEVIN_E_STATE, "GPU " + name + " is taken by two tasks");
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (const std::string& path : made) rmdir(path.c_str());
}

class Faults : public levin::Tasks {
 public:
  static constexpr const char* kinds[] = {"ok", "throw", "crash", "exit", nullptr};
  static constexpr levin_option options[] = {
      levin::choice("read", "\"ok\"", "what read does", kinds), levin::choice("sum", "\"ok\"", "what sum does", kinds),
      levin::path("calls", "\"\"", "file to which every call of sum adds a line"),
      levin::number("sum_seconds", "0", "how long sum takes")};
  explicit Faults(const levin::Args& args)
      : read_(args.text("read")),
        sum_(args.text("sum")),
        calls_(args.text("calls")),
        seconds_(args.number("sum_seconds")) {}

  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      levin::TaskOptions task = needs_in(line);
      const bool heavy = line.compare(0, 6, "heavy ") == 0;
      task.weight = line == "ok infinite" ? HUGE_VAL : heavy ? 10 : 1;
      task.name = "line " + std::to_string(++number);
      std::string data = heavy ? line.substr(6) : line;
      if (data.compare(0, 7, "padded ") == 0) {
        size_t end = 0;
        const size_t size = std::stoul(data.substr(7), &end) << 20;
        data = data.substr(8 + end) + "\n" + std::string(size, 'x');
      }
      if (data == "hostile") task.name = "<img src=x onerror=alert(2)>\xfe|\x1b[2J";
      tasks.add(data, task);
      if (number == 2) fault(read_);
    }
  }
  std::string handle(const levin::Task& task) {
    std::istringstream words{std::string(task.data().substr(0, 1000))};
    std::string kind, argument;
    words >> kind;
    if (kind == "once") words >> kind, kind = task.attempt() == 1 ? kind : "ok";
    words >> argument;
    if (kind == "sleep") std::this_thread::sleep_for(std::chrono::duration<double>(std::stod(argument)));
    if (kind == "first_slow" && mkdir(argument.c_str(), 0777) == 0)
      std::this_thread::sleep_for(std::chrono::seconds(60));
    if (kind == "alone") check_alone(argument);
    if (kind == "user") return std::to_string(getuid()) + " " + std::to_string(getgid()) + " " + std::getenv("HOME");
    if (kind == "threads") return std::getenv("OMP_NUM_THREADS");
    if (kind == "large") return std::string(std::stoul(argument) << 20, 'x');
    if (kind == "memory") std::vector<char>(std::stoul(argument) << 20, 'x').swap(kept_);
    if (kind == "child" || kind == "orphan") {
      if (std::system(("sleep " + argument + " &").c_str()) != 0) return "no child";
      kind = kind == "child" ? "hang" : "crash";
    }
    if (kind == "crash") this->warn("about to crash");
    fault(kind);
    return "result " + std::to_string(task.index());
  }
  void sum(levin::Results& results, levin::Output& output) {
    if (!calls_.empty()) std::ofstream(calls_, std::ios::app) << "sum\n";
    for (levin::Result result; results.next(result);)
      output.write(std::to_string(result.index()) + " " + result.name() + " " +
                   std::string(result.data().substr(0, 100)) + "\n");
    fault(sum_);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_));
  }

 private:
  std::string read_, sum_, calls_;
  double seconds_;
  std::vector<char> kept_;
};

}  // namespace

LEVIN_PLUGIN("org.levin.test.task_faults", "1.0.0", "Apache-2.0", levin::tasks<Faults>("faults", "Tasks with faults"))
