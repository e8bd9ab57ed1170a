// Adds the squares of the numbers in a file, one task for each line.
#include <levin/tasks.hpp>

#include <fstream>
#include <string>

namespace {

class MyPlugin : public levin::Tasks {
 public:
  static constexpr levin_option options[] = {levin::number("factor", "1", "factor of every square")};
  explicit MyPlugin(const levin::Args& args) : factor_(args.number("factor")) {}

  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    if (!in) throw levin::Error(LEVIN_E_IO, "cannot read " + file);
    for (std::string line; std::getline(in, line);) tasks.add(line);
  }
  std::string handle(const levin::Task& task) {
    const double number = std::stod(task.text());
    return std::to_string(factor_ * number * number);
  }
  std::string sum(levin::Results& results) {
    double total = 0;
    for (levin::Result result; results.next(result);) total += std::stod(result.text());
    return std::to_string(total) + "\n";
  }

 private:
  double factor_;
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0", levin::tasks<MyPlugin>("my_plugin", "Adds squares"))
