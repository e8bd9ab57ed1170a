#include "inference/network_file.hpp"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <filesystem>
#include <utility>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/trainer/resume/init_weights.hpp"
#include "inference/loaded_model.hpp"
#include "inference/trace.hpp"

namespace levin::core {
namespace {

class OfCheckpoint : public TrainedNetwork {
 public:
  explicit OfCheckpoint(const NetworkFile& file)
      : model_({file.path, /*plugin=*/"", file.trust, file.device}, file.warn) {}
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) override { return model_.forward(inputs); }
  const levin_data_info* data() const override { return model_.data(); }

 private:
  LoadedModel model_;
};

class OfTorchScript : public TrainedNetwork {
 public:
  explicit OfTorchScript(const NetworkFile& file) : path_(file.path), device_(file.device) {
    try {
      module_ = torch::jit::load(path_, device_);
    } catch (const std::exception& e) {
      throw Error(ErrorCode::checkpoint_format_unsupported,
                  path_ + ": not a checkpoint of Levin, and not a TorchScript file with a network; " +
                      "host export CHECKPOINT --format torchscript writes one (" + brief(e) + ")");
    }
    module_.eval();
  }
  // As written, because the optimizer rewrites a graph after its first runs, and a resumed run would get other bits.
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) override {
    const torch::jit::GraphOptimizerEnabledGuard as_written(false);
    std::vector<c10::IValue> placed;
    for (const at::Tensor& input : inputs) placed.emplace_back(input.to(device_));
    try {
      return unpacked(module_.forward(std::move(placed)));
    } catch (const std::exception& e) {
      throw Error(ErrorCode::call_invalid, path_ + ": forward of the TorchScript network failed: " + brief(e));
    }
  }
  const levin_data_info* data() const override { return nullptr; }

 private:
  const std::string path_;
  const at::Device device_;
  torch::jit::Module module_;
};

}  // namespace

std::unique_ptr<TrainedNetwork> open_network(const NetworkFile& file) {
  std::error_code unknown;
  if (!std::filesystem::exists(file.path, unknown))
    throw Error(ErrorCode::checkpoint_not_found, file.path + ": no such file");
  if (is_weights_file(file.path)) return std::make_unique<OfTorchScript>(file);
  return std::make_unique<OfCheckpoint>(file);
}

}  // namespace levin::core
