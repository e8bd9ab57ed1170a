// Logs the norms of the gradients and the weights, and the gradient noise scale.
#include <cmath>
#include <map>

#include "levin/callback.hpp"
#include "levin/ops.hpp"
#include "levin/parameters.hpp"
#include "noise_scale.hpp"

namespace levin::gradient_monitor {
namespace {

constexpr int64_t type_float = 6;  // c10::ScalarType

using Tensors = std::map<std::string, OwnedTensor>;  // by the parameter's name

std::string key_of(const std::string& parameter) { return "gradient." + parameter; }

// Returns the sum of the products of the elements, computed in float32.
double dot(const Ops& ops, const OwnedTensor& a, const OwnedTensor& b) {
  const OwnedTensor floats = ops("to", "dtype", {ops.real_values(a), type_float});
  const OwnedTensor others = ops("to", "dtype", {ops.real_values(b), type_float});
  return ops.item(ops("sum", "", {ops("mul", "Tensor", {floats, others})}));
}

// A loaded gradient is on the CPU.
OwnedTensor moved_to(const Ops& ops, const OwnedTensor& gradient, const OwnedTensor& other) {
  return ops("to", "other", {gradient, ops.real_values(other)});
}

class GradientMonitor : public Callback {
 public:
  static constexpr levin_option options[] = {
      flag("per_parameter", "false", "also log the norm of each parameter's gradient"),
      flag("noise_scale", "true", "log the gradient noise scale; keeps a second copy of the gradients"),
      number("noise_decay", "0.95", "decay of the noise scale's moving averages", 0, 0.999999),
  };
  explicit GradientMonitor(const Args& args)
      : per_parameter_(args.flag("per_parameter")),
        has_noise_scale_(args.flag("noise_scale")),
        decay_(args.number("noise_decay")) {}

  void on_fit_start(const Event& event) {
    if (has_noise_scale_ && event.run().n_optimizers() > 1)
      throw Error(
          LEVIN_E_UNSUPPORTED,
          "the noise scale is measured with one optimizer, and the model has several: set noise_scale to false");
  }

  // The gradients are the mean over all ranks, before they are clipped.
  void on_before_optimizer_step(const Event& event) {
    const Run run = event.run();
    const bool logs = run.should_update_logs(), ends_pair = !before_.empty();
    if (!logs && !ends_pair) return;
    const Ops ops(run);
    Tensors gradients = gradients_of(run, ops);
    std::map<std::string, double> squares;
    double square = 0;
    for (const auto& [name, gradient] : gradients) square += squares[name] = dot(ops, gradient, gradient);
    if (logs) log_norms(run, ops, squares, square);
    if (!has_noise_scale_ || !std::isfinite(square)) return before_.clear();
    if (ends_pair) return end_pair(ops, gradients, square);
    for (const auto& [name, gradient] : gradients) before_[name] = ops("clone", "", {ops.real_values(gradient)});
    square_before_ = square;
  }

  void save(Writer writer) const {
    writer.put("signal", scale_.signal);
    writer.put("noise", scale_.noise);
    writer.put("square", square_before_);
    std::string names;
    for (const auto& [name, gradient] : before_) {
      names += name + "\n";
      writer.put_tensor(key_of(name).c_str(), gradient.get());
    }
    writer.put("names", names);
  }
  void load(Reader reader) {
    reader.get("signal", scale_.signal);
    reader.get("noise", scale_.noise);
    reader.get("square", square_before_);
    std::string names;
    reader.get("names", names);
    before_.clear();
    for (size_t at = 0, end = 0; (end = names.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string name = names.substr(at, end - at);
      levin_tensor* gradient = nullptr;
      if (reader.get_tensor(key_of(name).c_str(), &gradient)) before_[name] = OwnedTensor(services().host, gradient);
    }
  }

 private:
  static Tensors gradients_of(const Run& run, const Ops& ops) {
    Tensors out;
    for (const Parameter& parameter : parameters(run))
      if (OwnedTensor gradient = ops.grad(parameter.tensor.get())) out[parameter.name] = std::move(gradient);
    return out;
  }

  void log_norms(const Run& run, const Ops& ops, const std::map<std::string, double>& squares, double square) const {
    double weights = 0;
    for (const Parameter& parameter : parameters(run)) weights += dot(ops, parameter.tensor, parameter.tensor);
    run.log("grad_norm", std::sqrt(square), on_step | not_on_epoch);
    run.log("weight_norm", std::sqrt(weights), on_step | not_on_epoch);
    const auto rows = static_cast<double>(run.batch_size() * run.accumulate_grad_batches() * run.world_size());
    if (const auto value = scale_.value(rows)) run.log("grad_noise_scale", *value, on_step | not_on_epoch);
    if (!per_parameter_) return;
    for (const auto& [name, value] : squares) run.log("grad_norm/" + name, std::sqrt(value), on_step | not_on_epoch);
  }

  void end_pair(const Ops& ops, const Tensors& gradients, double square) {
    double product = 0;
    for (const auto& [name, gradient] : gradients)
      if (const auto before = before_.find(name); before != before_.end())
        product += dot(ops, moved_to(ops, before->second, gradient), gradient);
    before_.clear();
    scale_.add(square_before_, square, product, decay_);
  }

  bool per_parameter_, has_noise_scale_;
  double decay_;
  NoiseScale scale_;
  Tensors before_;  // the gradients of the first step of a pair; empty = the next logged step begins one
  double square_before_ = 0;
};

}  // namespace
}  // namespace levin::gradient_monitor

LEVIN_PLUGIN("levin.gradient_monitor", "0.1.0", "Apache-2.0",
             levin::callback<levin::gradient_monitor::GradientMonitor>(
                 "gradient_monitor", "Logs the norms of gradients and weights, and the gradient noise scale"))
