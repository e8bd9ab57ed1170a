// Writes cpp-1.13.pt: a module saved by torch::save of LibTorch 1.13.
//   g++ -std=c++17 make.cpp -I/usr/include/torch/csrc/api/include -ltorch -ltorch_cpu -lc10 && ./a.out
#include <torch/torch.h>

int main() {
  torch::nn::Sequential net(torch::nn::Linear(2, 3), torch::nn::BatchNorm1d(3));
  const torch::NoGradGuard no_grad;
  net->named_parameters()["0.weight"].copy_(torch::arange(6, torch::kFloat).reshape({3, 2}));
  torch::save(net, "cpp-1.13.pt");
}
