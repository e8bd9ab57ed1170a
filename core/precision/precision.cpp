#include "core/precision/precision.hpp"

#include "core/abi/torch_compat.hpp"
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

// LibTorch implements only some operators in half precision on a CPU; which ones depends on its release.
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

// Mixed precision in fp16, with loss scaling as in torch.amp.GradScaler.
class ScaledPrecision : public MixedPrecision {
 public:
  explicit ScaledPrecision(at::DeviceType device) : MixedPrecision(device, at::kHalf) {}
  at::Tensor scale(const at::Tensor& loss) override { return scaler_.scale(loss); }
  bool unscale(const std::vector<at::Tensor>& grads) override { return scaler_.unscale(grads); }
  bool may_overflow() const override { return scaler_.scale() > 1; }  // at 1 the scale is not the cause
  void stepped() override { scaler_.update(); }
  nlohmann::json state_dict() const override { return scaler_.state_dict(); }
  void load_state_dict(const nlohmann::json& state) override { scaler_.load_state_dict(state); }

 private:
  LossScaler scaler_;
};

}  // namespace

PrecisionType precision_on(PrecisionType type, at::Device device) {
  return type == PrecisionType::mixed_16 && !device.is_cuda() ? PrecisionType::mixed_bf16 : type;
}

std::string slower_than_32_true(PrecisionType type, at::Device device, const CpuFlags& flags) {
  const bool bf16 = type == PrecisionType::mixed_bf16 || type == PrecisionType::true_bf16;
  if (!bf16 || !device.is_cpu() || flags.empty()) return "";
  for (const char* flag : {"avx512_bf16", "amx_bf16", "bf16"})  // bf16 = ARM
    if (flags.count(flag) > 0) return "";
  return std::string("trainer.precision=") + name_of(type) +
         " is slower than 32-true on this processor, which has no instructions for bfloat16 (avx512_bf16, amx_bf16)";
}

std::unique_ptr<Precision> make_precision(PrecisionType type, at::Device device) {
  switch (precision_on(type, device)) {
    case PrecisionType::true_32:
      return std::make_unique<TruePrecision>(at::kFloat);
    case PrecisionType::true_64:
      return std::make_unique<TruePrecision>(at::kDouble);
    case PrecisionType::true_bf16:
      return std::make_unique<TruePrecision>(at::kBFloat16);
    case PrecisionType::true_16:
      if (device.is_cpu()) return std::make_unique<CpuHalfPrecision>();
      return std::make_unique<TruePrecision>(at::kHalf);
    case PrecisionType::mixed_bf16:
      return std::make_unique<MixedPrecision>(device.type(), at::kBFloat16);
    case PrecisionType::mixed_16:
      return std::make_unique<ScaledPrecision>(device.type());
  }
  throw Error(ErrorKind::internal, "a precision that nobody makes");
}

}  // namespace levin::core
