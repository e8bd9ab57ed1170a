// Each message is on one line, regardless of its length:
// clang-format off
#include "levin/tasks.hpp"

struct Whole : levin::Tasks {
  void read(const std::string&, levin::TaskList&) {}
  std::string handle(const levin::Task&) { return ""; }
  std::string sum(levin::Results&) { return ""; }
};
auto whole = levin::tasks<Whole>("", "");

// refused: a component of tasks derives from levin::Tasks
struct Foreign {};
auto foreign = levin::tasks<Foreign>("", "");

// refused: the class derives privately from levin::Tasks, so Levin cannot use it: write struct X : levin::Tasks, or class X : public levin::Tasks
class Privately : levin::Tasks {};
auto privately = levin::tasks<Privately>("", "");

// refused: tasks are read from a file: declare void read(const std::string& file, levin::TaskList& tasks)
// refused: tasks have a result: declare std::string handle(const levin::Task& task)
// refused: results become an output: declare std::string sum(levin::Results& results)
struct Empty : levin::Tasks {};
auto empty = levin::tasks<Empty>("", "");

// refused: 'handle' is not what Levin calls by that name: declare it as std::string handle(const levin::Task& task)
struct Number : levin::Tasks {
  void read(const std::string&, levin::TaskList&) {}
  int handle(const levin::Task&) { return 1; }
  std::string sum(levin::Results&) { return ""; }
};
auto number = levin::tasks<Number>("", "");

// refused: 'read' is private or protected, so Levin cannot call it: make it public, or give it another name
class Private : public levin::Tasks {
  void read(const std::string&, levin::TaskList&) {}
 public:
  std::string handle(const levin::Task&) { return ""; }
  std::string sum(levin::Results&) { return ""; }
};
auto hidden = levin::tasks<Private>("", "");

// refused: tasks have no hooks, so nobody would call them: use read, handle and sum
struct Hooked : Whole {
  void on_fit_start() {}
};
auto hooked = levin::tasks<Hooked>("", "");
