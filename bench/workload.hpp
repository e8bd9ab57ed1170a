// The networks and rows used by the host and by the hand-written loops.
#pragma once
#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace levin_bench {

struct Workload {
  const char* name;
  std::vector<int64_t> shape;  // shape of a row
  int64_t hidden, classes;     // classes 0 = regression
  double lr, momentum;         // options of SGD
};
// Returns the workload mlp8, mlp64 or cnn. Throws std::invalid_argument for another name.
const Workload& find_workload(const std::string& name);

struct Net : torch::nn::Module {
  virtual torch::Tensor loss(const torch::Tensor& x, const torch::Tensor& y) = 0;
};
std::shared_ptr<Net> make_net(const Workload& workload);

// Random rows, created before the measurement.
class Rows {
 public:
  Rows(const Workload& workload, int64_t n);
  // Copies the rows with these indices into x and y, both row-major. y is int64 if there are classes, else float.
  void gather(const int64_t* indices, int64_t n, float* x, void* y) const;
  int64_t size() const { return size_; }

 private:
  int64_t size_;
  size_t width_ = 1;
  std::vector<float> inputs_, number_;
  std::vector<int64_t> label_;
};
// Returns the same instance for the same arguments, so that both sides read the same memory.
std::shared_ptr<const Rows> rows_of(const Workload& workload, int64_t n);

}  // namespace levin_bench
