// Prunes the weights of the smallest magnitudes, by a schedule of epochs. Pruned weights stay 0.
#include <nlohmann/json.hpp>

#include "levin/callback.hpp"
#include "levin/util/text.hpp"
#include "masks.hpp"
#include "sparsity.hpp"

namespace levin::pruning {
namespace {

constexpr const char* structures[] = {"weight", "row", "column", nullptr};
constexpr const char* scopes[] = {"parameter", "model", nullptr};

std::vector<std::string> patterns_of(const std::string& text) {
  const auto value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_string()) return {value.get<std::string>()};
  bool texts = value.is_array() && !value.empty();
  for (size_t i = 0; texts && i < value.size(); ++i) texts = value[i].is_string();
  if (!texts)
    throw Error(LEVIN_E_INVALID, "parameters is " + text + "; give a list of patterns: [\"features\", \"*.weight\"]");
  return value.get<std::vector<std::string>>();
}

Structure structure_of(const std::string& name) {
  return name == "row" ? Structure::row : name == "column" ? Structure::column : Structure::weight;
}

class Pruning : public Callback {
 public:
  static constexpr levin_option options[] = {
      number("amount", "0.5", "fraction of the weights to prune", 0, 1),
      json("parameters", "[\"*\"]", "patterns of parameters to prune; only those of 2 or more dimensions"),
      integer("start_epoch", "0", "first epoch (from 0) at whose start weights are pruned", 0, 1e15),
      with(integer("end_epoch", "null", "epoch in which amount is reached; null = start_epoch", 0, 1e15),
           LEVIN_OPT_NULLABLE),
      choice("structure", "\"weight\"", "weight = single weights, row = output channels, column = input channels",
             structures),
      integer("norm", "1", "how rows and columns are compared: 1 = mean magnitude, 2 = root mean square", 1, 2),
      choice("scope", "\"parameter\"", "parameter = amount of each parameter, model = of all together", scopes),
  };
  explicit Pruning(const Args& args)
      : amount_(args.number("amount")),
        patterns_(patterns_of(args.text("parameters"))),
        epochs_{args.integer("start_epoch"), args.integer("start_epoch")},
        choice_{structure_of(args.text("structure")), args.integer("norm"), args.text("scope") == "model"} {
    if (args.is_null("end_epoch")) return;
    epochs_.last = args.integer("end_epoch");
    if (epochs_.last < epochs_.first)
      throw Error(LEVIN_E_INVALID, "end_epoch is " + std::to_string(epochs_.last) + ", before start_epoch, which is " +
                                       std::to_string(epochs_.first));
  }

  void on_fit_start(const Event& event) { masks_.begin(event.run(), patterns_); }
  void on_train_epoch_start(const Event& event) {
    if (!epochs_.contain(event.epoch())) return;
    const Run run = event.run();
    masks_.make(run, choice_, sparsity_in(epochs_, amount_, event.epoch()));
    masks_.apply(run);
    const double pruned = masks_.pruned(run);
    run.log_now(-1, {{"pruned_weights", pruned}});
    if (is_first_process(run))
      info("in epoch " + std::to_string(event.epoch()) + ": " + fixed(100 * pruned, 1) + " % of " +
           std::to_string(masks_.weights(run)) + " weights are pruned");
  }
  // The optimizer's momentum changes pruned weights.
  void on_train_batch_end(const Event& event) {
    if (masks_.exist()) masks_.apply(event.run());
  }

  void save(Writer writer) const { masks_.save(writer); }
  void load(Reader reader) { masks_.load(services().host, reader); }

 private:
  double amount_;
  std::vector<std::string> patterns_;
  Epochs epochs_;
  Choice choice_;
  Masks masks_;
};

}  // namespace
}  // namespace levin::pruning

LEVIN_PLUGIN("levin.pruning", "0.1.0", "Apache-2.0",
             levin::callback<levin::pruning::Pruning>("pruning",
                                                      "Prunes the weights of the smallest magnitudes by epoch"))
