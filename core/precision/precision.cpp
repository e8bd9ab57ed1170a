#include "core/precision/precision.hpp"

#include "core/base/error.hpp"
#include "core/components/torch_compat.hpp"
#include "core/config/precision_name.hpp"
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

// LibTorch has few operators for half precision on a CPU, and which ones it has depends on its release.
class CpuHalfPrecision : public TruePrecision {
 public:
  CpuHalfPrecision() : TruePrecision(at::kHalf) {}
  std::string advice(const std::string& error) const override {
    if (error.find("not implemented for 'Half'") == std::string::npos) return "";
    return "; LibTorch cannot compute this with trainer.precision 16-true on a CPU: try bf16-true or 32-true";
  }
};

class MixedPrecision : public Precision {
 public:
  MixedPrecision(at::DeviceType device, at::ScalarType dtype) : device_(device), dtype_(dtype) {}
  void forward(const std::function<void()>& step) override {
    const AutocastGuard guard(device_, dtype_);
    step();
  }
  bool is_full_precision() const override { return false; }

 private:
  at::DeviceType device_;
  at::ScalarType dtype_;
};

// Mixed precision in fp16, with a loss scale as in torch.amp.GradScaler.
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

}  // namespace

std::string precision_on(const std::string& name, at::Device device) {
  const std::string canonical = canonical_precision(name).value_or(name);
  return canonical == "16-mixed" && !device.is_cuda() ? "bf16-mixed" : canonical;
}

std::unique_ptr<Precision> make_precision(const std::string& name, at::Device device) {
  const std::string canonical = precision_on(name, device);
  if (canonical == "32-true") return std::make_unique<TruePrecision>(at::kFloat);
  if (canonical == "64-true") return std::make_unique<TruePrecision>(at::kDouble);
  if (canonical == "bf16-true") return std::make_unique<TruePrecision>(at::kBFloat16);
  if (canonical == "16-true" && device.is_cpu()) return std::make_unique<CpuHalfPrecision>();
  if (canonical == "16-true") return std::make_unique<TruePrecision>(at::kHalf);
  if (canonical == "bf16-mixed") return std::make_unique<MixedPrecision>(device.type(), at::kBFloat16);
  if (canonical == "16-mixed") return std::make_unique<ScaledPrecision>(device.type());
  throw Error(ErrorKind::usage, "trainer.precision: '" + name +
                                    "' is not there in this version; valid: 32-true, 64-true, bf16-mixed, 16-mixed, "
                                    "bf16-true, 16-true");
}

}  // namespace levin::core
