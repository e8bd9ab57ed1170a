// The networks and rows that the host and the hand-written loops both use.
#pragma once
#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace levin_bench {

struct Workload {
  const char* name;
  std::vector<int64_t> shape;  // of a row
  int64_t hidden, classes;     // with 0 classes a number is predicted
  double lr, momentum;         // of SGD
};
// The workload mlp8, mlp64 or cnn. Throws std::invalid_argument for another name.
const Workload& find_workload(const std::string& name);

struct Net : torch::nn::Module {
  virtual torch::Tensor loss(const torch::Tensor& x, const torch::Tensor& y) = 0;
};
std::shared_ptr<Net> make_net(const Workload& workload);

// Random rows, made before anything is measured.
class Rows {
 public:
  Rows(const Workload& workload, int64_t n);
  // Copies these rows into x and y, both row-major. y is int64 if there are classes, else float.
  void gather(const int64_t* indices, int64_t n, float* x, void* y) const;
  int64_t size() const { return size_; }

 private:
  int64_t size_;
  size_t width_ = 1;
  std::vector<float> inputs_, number_;
  std::vector<int64_t> label_;
};
// There is one instance in each process, so that both sides read the same memory.
std::shared_ptr<const Rows> rows_of(const Workload& workload, int64_t n);

}  // namespace levin_bench
