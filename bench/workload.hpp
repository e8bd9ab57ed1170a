// What the host and the hand-written loops train: a network, rows and an optimizer.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/networks.hpp"

namespace levin_bench {

enum class Input { numbers, characters };

struct Workload {
  const char* name;
  std::function<std::shared_ptr<Net>()> make_net;
  Input input;
  std::vector<int64_t> shape;  // shape of a row
  int64_t classes;             // 0 = regression
  const char* optimizer;       // sgd or adam
  double lr, momentum;
};
// Returns the workload of that name. Throws std::invalid_argument for another name.
const Workload& find_workload(const std::string& name);

// Random rows, created before the measurement.
class Rows {
 public:
  Rows(const Workload& workload, int64_t n);
  // Copies the rows with these indices into x and y, both row-major. x is int64 for characters, else float; y is int64
  // if there are classes, else float.
  void gather(const int64_t* indices, int64_t n, void* x, void* y) const;
  int64_t size() const { return size_; }

 private:
  int64_t size_;
  size_t width_ = 1;
  std::vector<float> inputs_, number_;
  std::vector<int64_t> characters_, label_;
};
// Returns the same instance for the same arguments, so that both sides read the same memory.
std::shared_ptr<const Rows> rows_of(const Workload& workload, int64_t n);

}  // namespace levin_bench
