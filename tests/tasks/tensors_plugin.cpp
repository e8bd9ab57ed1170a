// A component whose handle uses LibTorch: it adds the elements of a product of two matrices of ones.
// levin/torch.hpp may come before levin/tasks.hpp.
#include "levin/torch.hpp"

#include <fstream>

#include "levin/tasks.hpp"

namespace {

class Products : public levin::Tasks {
 public:
  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) tasks.add(line);
  }
  std::string handle(const levin::Task& task) {
    const int64_t n = std::stoll(task.text());
    return std::to_string(
        torch::ones({n, n}, torch::kDouble).mm(torch::ones({n, n}, torch::kDouble)).sum().item<double>());
  }
  std::string sum(levin::Results& results) {
    double total = 0;
    for (levin::Result result; results.next(result);) total += std::stod(result.text());
    return std::to_string(total) + "\n";
  }
};

}  // namespace

LEVIN_PLUGIN("org.levin.test.task_tensors", "1.0.0", "Apache-2.0",
             levin::tasks<Products>("products", "Tasks with LibTorch"))
