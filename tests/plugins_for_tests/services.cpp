// A callback that calls the run's services and records the results.
#include <levin/host_tensor.hpp>
#include <levin/levin.hpp>

#include <cmath>

#include "script.hpp"

namespace {

using scripted::record;

struct Asker : levin::Callback {
  static constexpr levin_option options[] = {
      levin::text("option", "\"\"", "of the optimizer, to ask for; a failure ends the run")};
  const std::string option;
  explicit Asker(const levin::Args& o) : option(o.text("option")) {}

  levin::Status on_train_start(const levin::Event& e) {
    const levin::Run run = e.run();
    const auto memory = run.memory();
    say("memory", memory && memory->used > 0 && memory->used <= memory->total ? "known" : "unknown");
    list("at_start", run);
    mistakes(run);
    double value = 0;
    return option.empty() ? LEVIN_OK : run.optim().get(run.raw(), 0, 0, option.c_str(), &value);
  }
  void on_fit_end(const levin::Event& e) {
    const levin::Run run = e.run();
    list("at_end", run);
    for (const levin::Saved& c : run.list_checkpoints())
      if (c.best)
        run.load_weights(c.path);
      else
        run.remove_checkpoint(c.path);
    list("removed", run);
  }

 private:
  void say(const std::string& what, const std::string& text) const { record(name() + "." + what + " " + text); }
  void list(const std::string& when, const levin::Run& run) const {
    for (const levin::Saved& c : run.list_checkpoints())
      say(when, c.path.substr(c.path.rfind('/') + 1) + (c.path[0] == '/' ? "" : " relative") + (c.best ? " best" : "") +
                    (c.last ? " last" : "") + (std::isfinite(c.score) ? " scored" : ""));
  }
  // Calls with an index or a name that does not exist.
  void mistakes(const levin::Run& run) const {
    const levin_optim& o = run.optim();
    levin_run* const raw = run.raw();
    double value = 0;
    uint32_t n = 0;
    const char *text = nullptr, *other = nullptr;
    const levin_status all[] = {o.get(raw, 9, 0, "lr", &value),         o.get(raw, 0, 9, "lr", &value),
                                o.get(raw, 0, 0, "no option", &value),  o.set(raw, 0, 0, "no option", 1),
                                o.describe(raw, 9, &text, &n),          o.group_name(raw, 0, 9, &text),
                                o.scheduler(raw, 9, &n, &text, &other), o.clip(raw, 0, 1, "no algorithm")};
    for (const levin_status status : all)
      say("mistake", status == LEVIN_E_INVALID ? "invalid" : std::to_string(status));
  }
};

// Calls the model's forward for each validation batch, and for rows of the data after the validation.
struct Looker : levin::Callback {
  void on_validation_batch_end(const levin::Event& e) {
    const levin::TensorList y = e.run().forward({e.batches().at(0)->tensors[0]});
    levin_tensor* scores = e.output("scores");
    const bool same = scores && numbers(e, y[0]) == numbers(e, scores);
    record(name() + (same ? ".same" : ".other"));
  }
  void on_validation_epoch_end(const levin::Event& e) {
    const levin::TensorList rows = e.run().data().rows(levin::Split::val, {0, 2});
    record(name() + ".rows " + std::to_string(numbers(e, e.run().forward({rows[0]})[0]).size()));
  }

 private:
  static std::vector<double> numbers(const levin::Event& e, levin_tensor* tensor) {
    return levin::HostTensor(e.run(), tensor).numbers();
  }
};

// Starts with the weights of another run.
struct Pretrained : levin::Callback {
  static constexpr levin_option options[] = {levin::path("weights", "\"\"", "a checkpoint")};
  const std::string weights;
  explicit Pretrained(const levin::Args& o) : weights(o.text("weights")) {}
  void on_fit_start(const levin::Event& e) {
    record(e.run().resumed() ? "pretrained.resumed" : "pretrained.new");
    e.run().load_weights(weights);
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.services", "1.0.0", "Apache-2.0",
             levin::callback<Asker>("asker", "Writes down what services say"),
             levin::callback<Looker>("forward_looker", "Calls the model's network"),
             levin::callback<Pretrained>("pretrained", "Loads weights when a fit starts"))
