// Components of tasks, each with one fault, for host check. "none" has no fault.
#include <cstdlib>
#include <fstream>
#include <string>

#include "levin/tasks.hpp"

namespace {

struct Sound : levin::Tasks {
  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    if (!in) throw levin::Error(LEVIN_E_IO, "cannot read " + file);
    for (std::string line; std::getline(in, line);) tasks.add(line);
  }
  std::string handle(const levin::Task& task) { return task.text() + "!"; }
  std::string sum(levin::Results& results) {
    std::string out;
    for (levin::Result result; results.next(result);) out += result.text();
    return out;
  }
};

struct ReadsAnything : Sound {
  void read(const std::string&, levin::TaskList& tasks) { tasks.add("1"); }
};

int reads = 0;
struct OtherTasks : Sound {
  void read(const std::string& file, levin::TaskList& tasks) {
    Sound::read(file, tasks);
    if (++reads % 2 == 0) tasks.add("more");
  }
};

struct Crashes : Sound {
  std::string handle(const levin::Task& task) {
    if (task.index() == 1) std::abort();
    return Sound::handle(task);
  }
};

int sums = 0;
struct OtherSum : Sound {
  std::string sum(levin::Results& results) { return Sound::sum(results) + std::to_string(++sums); }
};

struct Deaf : Sound {
  void read(const std::string& file, levin::TaskList& tasks) {
    if (!std::ifstream(file)) throw levin::Error(LEVIN_E_IO, "cannot read " + file);
    try {
      tasks.add("1");
    } catch (const levin::Error&) {  // goes on without the task
    }
  }
};

// Needs a file of its own.
struct Picky : Sound {
  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line) || line != "picky") throw levin::Error(LEVIN_E_INVALID, "the first line is not picky");
    tasks.add(line);
  }
};

}  // namespace

LEVIN_PLUGIN("org.levin.test.faulty_tasks", "1.0.0", "Apache-2.0", levin::tasks<Sound>("none", ""),
             levin::tasks<ReadsAnything>("reads_anything", ""), levin::tasks<OtherTasks>("other_tasks", ""),
             levin::tasks<Crashes>("crashes", ""), levin::tasks<OtherSum>("other_sum", ""),
             levin::tasks<Deaf>("deaf", ""), levin::tasks<Picky>("picky", ""))
