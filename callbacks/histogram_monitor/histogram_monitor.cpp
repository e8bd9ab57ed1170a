// Passes histograms of the model's parameters and their gradients to the loggers.
#include <nlohmann/json.hpp>
#include <optional>

#include "levin/callback.hpp"
#include "levin/ops.hpp"
#include "levin/parameters.hpp"

namespace levin::histogram_monitor {
namespace {

constexpr int64_t most_samples = 65536;  // of a tensor, evenly spaced
constexpr int64_t type_double = 7;       // c10::ScalarType

std::vector<std::string> patterns_of(const std::string& text) {
  const auto value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  bool texts = value.is_array() && !value.empty();
  for (size_t i = 0; texts && i < value.size(); ++i) texts = value[i].is_string();
  if (value.is_string()) return {value.get<std::string>()};
  if (!texts)
    throw Error(LEVIN_E_INVALID, "parameters is " + text + "; give a list of patterns: [\"features\", \"*.weight\"]");
  return value.get<std::vector<std::string>>();
}

class HistogramMonitor : public Callback {
 public:
  static constexpr levin_option options[] = {
      json("parameters", "[\"*\"]", "patterns of the parameters"),
      with(integer("every_n_steps", "null", "optimizer steps between two logs; null = once an epoch", 1, 1e15),
           LEVIN_OPT_NULLABLE),
      flag("log_weights", "true", "log the weights"),
      flag("log_gradients", "true", "log the gradients, before they are clipped"),
  };
  explicit HistogramMonitor(const Args& args)
      : patterns_(patterns_of(args.text("parameters"))),
        weights_(args.flag("log_weights")),
        gradients_(args.flag("log_gradients")) {
    if (!args.is_null("every_n_steps")) every_ = args.integer("every_n_steps");
    if (!weights_ && !gradients_)
      throw Error(LEVIN_E_INVALID, "log_weights and log_gradients are false: nothing is logged");
  }

  void on_fit_start(const Event& event) { parameters(event.run(), patterns_); }  // throws for an unknown one
  void on_before_optimizer_step(const Event& event) {
    if (!due(event)) return;
    const Run run = event.run();
    if (!is_first_process(run)) return;
    const Ops ops(run);
    for (const Parameter& parameter : parameters(run, patterns_)) {
      if (weights_) log(run, ops, "weights/" + parameter.name, parameter.tensor);
      if (!gradients_) continue;
      const OwnedTensor gradient = ops.grad(parameter.tensor.get());
      if (gradient) log(run, ops, "gradients/" + parameter.name, gradient);
    }
  }

  void save(Writer writer) const {
    writer.put("epoch", epoch_);
    writer.put("step", step_);
  }
  void load(Reader reader) {
    reader.get("epoch", epoch_);
    reader.get("step", step_);
  }

 private:
  // Several optimizers may step in a batch.
  bool due(const Event& event) {
    const int64_t step = event.global_step(), epoch = event.epoch();
    const bool out = step != step_ && (every_ ? step % *every_ == 0 : epoch != epoch_);
    if (out) epoch_ = epoch, step_ = step;
    return out;
  }

  static void log(const Run& run, const Ops& ops, const std::string& tag, const OwnedTensor& tensor) {
    const OwnedTensor values = ops("flatten", "using_ints", {ops.real_values(tensor)});
    const int64_t n = ops.shape(values.get()).at(0);
    if (n == 0) return;
    const OwnedTensor spaced = ops("slice", "Tensor", {values, 0, 0, nullptr, (n + most_samples - 1) / most_samples});
    const OwnedTensor samples = ops("contiguous", "", {ops("to", "dtype", {spaced, type_double})});
    levin_view view{};
    detail::check(run.host()->tensor_view(run.host(), samples.get(), &view), "tensor_view");
    run.media(Media::view("histogram", tag, view));
  }

  std::vector<std::string> patterns_;
  std::optional<int64_t> every_;
  bool weights_, gradients_;
  int64_t epoch_ = -1, step_ = -1;  // of the last log
};

}  // namespace
}  // namespace levin::histogram_monitor

LEVIN_PLUGIN("levin.histogram_monitor", "0.1.0", "Apache-2.0",
             levin::callback<levin::histogram_monitor::HistogramMonitor>(
                 "histogram_monitor", "Logs histograms of the weights and the gradients"))
