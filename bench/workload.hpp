// What is trained: networks and rows that the host and the hand-written loops share.
#pragma once
#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace levin_bench {

struct Workload {
  const char* name;
  std::vector<int64_t> shape;  // of a row
  int64_t hidden, classes;     // classes 0: a number to predict
  double lr, momentum;         // of SGD
};
// mlp8, mlp64 or cnn; throws std::invalid_argument.
const Workload& find_workload(const std::string& name);

struct Net : torch::nn::Module {
  virtual torch::Tensor loss(const torch::Tensor& x, const torch::Tensor& y) = 0;
};
std::shared_ptr<Net> make_net(const Workload& workload);

// Random rows, made before anything is measured.
class Rows {
 public:
  Rows(const Workload& workload, int64_t n);
  // Rows `indices` into row-major x and y: float, and int64 for classes.
  void gather(const int64_t* indices, int64_t n, float* x, void* y) const;
  int64_t size() const { return n_; }

 private:
  int64_t n_;
  size_t width_ = 1;
  std::vector<float> x_, number_;
  std::vector<int64_t> label_;
};
// One instance a process, so that both sides read the same memory.
std::shared_ptr<const Rows> rows_of(const Workload& workload, int64_t n);

}  // namespace levin_bench
