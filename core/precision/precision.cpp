#include "core/precision/precision.hpp"

#include <map>

#include "core/adapt/torch_compat.hpp"
#include "core/base/error.hpp"
#include "core/precision/loss_scaler.hpp"

namespace levin::core {
namespace {

class TruePrecision : public Precision {
 public:
  explicit TruePrecision(at::ScalarType dtype) : dtype_(dtype) {}
  at::ScalarType dtype() const override { return dtype_; }
  at::ScalarType input_dtype() const override { return dtype_ == at::kFloat ? at::ScalarType::Undefined : dtype_; }

 private:
  at::ScalarType dtype_;
};

class MixedPrecision : public Precision {
 public:
  MixedPrecision(at::DeviceType device, at::ScalarType dtype) : device_(device), dtype_(dtype) {}
  void forward(const std::function<void()>& step) override {
    const AutocastGuard guard(device_, dtype_);
    step();
  }
  bool plain() const override { return false; }

 private:
  at::DeviceType device_;
  at::ScalarType dtype_;
};

// fp16 with a loss scale, as torch.amp.GradScaler.
class ScaledPrecision : public MixedPrecision {
 public:
  explicit ScaledPrecision(at::DeviceType device) : MixedPrecision(device, at::kHalf) {}
  at::Tensor scale(const at::Tensor& loss) override { return scaler_.scale(loss); }
  bool unscale(const std::vector<at::Tensor>& grads) override { return scaler_.unscale(grads); }
  void stepped() override { scaler_.update(); }
  nlohmann::json state_dict() const override { return scaler_.state_dict(); }
  void load_state_dict(const nlohmann::json& state) override { scaler_.load_state_dict(state); }

 private:
  LossScaler scaler_;
};

const std::map<std::string, std::string>& aliases() {
  static const std::map<std::string, std::string> table = {{"32", "32-true"},   {"64", "64-true"},
                                                           {"16", "16-mixed"},  {"bf16", "bf16-mixed"},
                                                           {"fp32", "32-true"}, {"fp64", "64-true"}};
  return table;
}

}  // namespace

std::string canonical_precision(const std::string& name) {
  const auto found = aliases().find(name);
  return found == aliases().end() ? name : found->second;
}

std::unique_ptr<Precision> make_precision(const std::string& name, at::Device device) {
  const std::string canonical = canonical_precision(name);
  if (canonical == "32-true") return std::make_unique<TruePrecision>(at::kFloat);
  if (canonical == "64-true") return std::make_unique<TruePrecision>(at::kDouble);
  if (canonical == "bf16-true") return std::make_unique<TruePrecision>(at::kBFloat16);
  if (canonical == "16-true") {
    if (!device.is_cuda())
      throw Error(ErrorKind::usage, "trainer.precision: 16-true needs a GPU; on a CPU use bf16-true or 32-true");
    return std::make_unique<TruePrecision>(at::kHalf);
  }
  if (canonical == "bf16-mixed") return std::make_unique<MixedPrecision>(device.type(), at::kBFloat16);
  if (canonical == "16-mixed") {
    if (!device.is_cuda())
      throw Error(ErrorKind::usage, "trainer.precision: 16-mixed needs a GPU; on a CPU use bf16-mixed or 32-true");
    return std::make_unique<ScaledPrecision>(device.type());
  }
  throw Error(ErrorKind::usage, "trainer.precision: '" + name +
                                    "' is unknown; valid: 32-true, 64-true, bf16-mixed, 16-mixed, bf16-true, 16-true");
}

}  // namespace levin::core
