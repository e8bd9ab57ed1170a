#include "core/precision/precision.hpp"

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "core/abi/torch_compat.hpp"
#include "core/base/error.hpp"

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

// Dynamic loss scaling for fp16, with the rule and the defaults of torch.amp.GradScaler.
class LossScaler {
 public:
  at::Tensor scale(const at::Tensor& loss) const { return loss * scale_; }
  double scale() const { return scale_; }
  // Divides the gradients by the scale. Returns false if one of them is not finite. Synchronizes with the device.
  bool unscale(const std::vector<at::Tensor>& grads) {
    const at::NoGradGuard no_grad;
    if (one_operator_takes(grads)) return unscale_together(grads);
    at::Tensor total;
    for (at::Tensor grad : grads) {
      grad.mul_(1.0 / scale_);
      const at::Tensor sum = grad.sum(at::kFloat);
      total = total.defined() ? total + sum.to(total.device()) : sum;  // parameters may be on several devices
    }
    found_inf_ = total.defined() && !std::isfinite(total.item<float>());
    return !found_inf_;
  }
  // Adjusts the scale. Call it after each optimizer step, even if the step was skipped.
  void update() {
    if (found_inf_) {
      scale_ *= backoff_factor;
      growth_tracker_ = 0;
    } else if (++growth_tracker_ == growth_interval) {
      scale_ *= growth_factor;
      growth_tracker_ = 0;
    }
    found_inf_ = false;
  }
  nlohmann::json state_dict() const { return {{"scale", scale_}, {"_growth_tracker", growth_tracker_}}; }
  void load_state_dict(const nlohmann::json& state) {
    scale_ = state.value("scale", scale_);
    growth_tracker_ = state.value("_growth_tracker", growth_tracker_);
  }

 private:
  static constexpr double growth_factor = 2.0, backoff_factor = 0.5;
  static constexpr int64_t growth_interval = 2000;

  static bool one_operator_takes(const std::vector<at::Tensor>& grads) {
    for (const at::Tensor& g : grads)
      if (!g.is_cuda() || g.device() != grads[0].device() || g.layout() != at::kStrided) return false;
    return !grads.empty();
  }
  bool unscale_together(const std::vector<at::Tensor>& grads) {
    const at::TensorOptions options = at::TensorOptions(at::kFloat).device(grads[0].device());
    at::Tensor found = at::zeros({1}, options);
    at::_amp_foreach_non_finite_check_and_unscale_(grads, found, at::full({1}, 1.0 / scale_, options));
    found_inf_ = found.item<float>() != 0;
    return !found_inf_;
  }

  double scale_ = 65536.0;
  int64_t growth_tracker_ = 0;
  bool found_inf_ = false;
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
  throw Error(ErrorCode::internal_error, "an unknown precision");
}

}  // namespace levin::core
