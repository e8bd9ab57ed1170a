// bench-hand WORKLOAD ROWS BATCH EPOCHS OPTIMIZER OUT runs the hand-written loop in a separate process. EPOCHS 0 = one
// step.
#include <ATen/Parallel.h>
#include <torch/utils.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "bench/cost.hpp"
#include "bench/hand_loop.hpp"

using namespace levin_bench;

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: bench-hand WORKLOAD ROWS BATCH EPOCHS OPTIMIZER OUT\n");
    return 2;
  }
  at::set_num_threads(1);
  torch::manual_seed(0);
  const int64_t rows = std::atoll(argv[2]), batch = std::atoll(argv[3]), epochs = std::atoll(argv[4]);
  const auto loop = make_hand_loop(find_workload(argv[1]), rows, batch, argv[5]);
  nlohmann::json result;
  if (epochs == 0) {
    loop->step(0);
    result = Cost::now().json();
  } else {
    result = {{"steps", rows / batch}, {"rounds", nlohmann::json::array()}};
    for (int64_t i = 0; i < epochs; ++i) {
      const Cost begin = Cost::now();
      loop->epoch();
      result["rounds"].push_back({{"hand", Cost::now().since(begin).json()}});
    }
  }
  result["peak_mib"] = peak_mebibytes();
  std::ofstream(argv[6]) << result;
  std::fflush(nullptr);
  _exit(0);
}
