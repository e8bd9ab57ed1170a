#include "host/engine/check/rules/rules.hpp"

#include <c10/core/GradMode.h>

#include <memory>
#include <set>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/components/model.hpp"
#include "host/engine/check/common/common_rules.hpp"
#include "host/engine/check/fake/fake_run.hpp"
#include "host/engine/check/fake/trial_data.hpp"

namespace levin::core {
namespace {

constexpr int64_t batch_rows = 4;

std::unique_ptr<Model> make_model(const Subject& subject) { return make_component<Model>(subject.create()); }

std::string check_visit(const Subject& subject) {
  const auto model = make_model(subject);
  const auto first = model->parameters(), buffers = model->buffers();
  model->visit();
  const auto same = [](const std::vector<NamedTensor>& a, const std::vector<NamedTensor>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i].name != b[i].name || !a[i].tensor.is_same(b[i].tensor)) return false;
    return true;
  };
  if (!same(first, model->parameters()) || !same(buffers, model->buffers()))
    return "a second visit names other tensors, or in another order";
  std::set<std::string> names;
  for (const auto* tensors : {&first, &buffers})
    for (const NamedTensor& t : *tensors) {
      if (t.name.empty() || !names.insert(t.name).second) return "the name '" + t.name + "' is empty or repeated";
      if (!t.tensor.defined()) return "'" + t.name + "' is not a tensor";
    }
  for (const NamedTensor& t : first)
    if (!t.tensor.is_leaf()) return "parameter '" + t.name + "' is not a leaf";
  return first.empty() ? "it has no parameter" : "";
}

std::string check_modes(const Subject& subject) {
  const auto model = make_model(subject);
  for (const bool training : {true, false, false, true}) model->mode(training);
  return "";
}

class Step {
 public:
  Step(const Subject& subject, const TrialData& data)
      : model_(make_model(subject)), run_(*model_), batch_(data.batch(batch_rows)) {}

  void run(uint32_t stage) {
    if (!model_->has_step(stage)) throw Skip{"it has no such step"};
    if (stage == LEVIN_STAGE_FIT && model_->manual_optimization()) throw Skip{"manual optimization needs a whole fit"};
    const levin_batch* raw = batch_.raw();
    levin_step_in in{};
    in.size = sizeof in;
    in.stage = stage;
    in.run = &run_;
    in.batch = raw;
    in.batches = &raw;
    in.n_batches = 1;
    model_->mode(stage == LEVIN_STAGE_FIT);
    model_->step(in, out_);
  }

  std::string training() {
    run(LEVIN_STAGE_FIT);
    if (!out_.loss.defined()) throw Skip{"training_step returned nothing for this batch"};
    if (out_.loss.numel() != 1) return "the loss has " + std::to_string(out_.loss.numel()) + " elements";
    if (!out_.loss.requires_grad()) return "the loss does not require a gradient";
    out_.loss.backward();
    for (const NamedTensor& p : model_->parameters())
      if (p.tensor.grad().defined()) return "";
    return "no parameter got a gradient";
  }

  std::string evaluation(uint32_t stage) {
    const at::NoGradGuard no_grad;
    run(stage);
    if (stage == LEVIN_STAGE_PREDICT && out_.named.empty()) return "predict_step returned nothing";
    return "";
  }

  // After a step and the destruction of the model, no references to the batch or the parameters may remain.
  std::string leaks() {
    run(model_->manual_optimization() ? LEVIN_STAGE_VALIDATE : LEVIN_STAGE_FIT);
    std::vector<NamedTensor> lent = model_->parameters();
    out_.clear();
    model_.reset();
    for (size_t i = 0; i < batch_.tensors.size(); ++i)
      if (batch_.tensors[i].use_count() > 1) return "tensor " + std::to_string(i) + " of the batch is never released";
    for (const NamedTensor& p : lent)
      if (p.tensor.use_count() > 1) return "parameter '" + p.name + "' outlives the model";
    return "";
  }

 private:
  std::unique_ptr<Model> model_;
  FakeRun run_;
  Batch batch_;
  StepOutputs out_;
};

void check_steps(Report& report, const Subject& subject, const TrialData& data) {
  report.check(20, "visit: the same tensors, under unique names, each time", [&] { return check_visit(subject); });
  report.check(21, "mode: switches to evaluation and back", [&] { return check_modes(subject); });
  report.check(22, "training_step on " + data.name() + ": a scalar loss whose gradient reaches a parameter",
               [&] { return Step(subject, data).training(); });
  report.check(23, "validation_step on " + data.name(),
               [&] { return Step(subject, data).evaluation(LEVIN_STAGE_VALIDATE); });
  report.check(24, "test_step on " + data.name(), [&] { return Step(subject, data).evaluation(LEVIN_STAGE_TEST); });
  report.check(25, "predict_step on " + data.name(),
               [&] { return Step(subject, data).evaluation(LEVIN_STAGE_PREDICT); });
  report.check(26, "leaks: every tensor of the batch and every parameter is released",
               [&] { return Step(subject, data).leaks(); });
}

// The result of trying a model with data.
enum class Trial {
  fits,     // its steps run without error
  breaks,   // a step breaks a rule: its value is not finite, or it misuses a tensor
  throws,   // a step throws
  refuses,  // the model is not made for such data, or needs a field that the data lacks
};

class Trials {
 public:
  explicit Trials(const Subject& subject) : subject_(subject) {}

  // whole: also try backward and the evaluation steps, not only training_step.
  Trial of(const TrialData& data, bool whole) {
    subject_.data = &data.info();
    if (subject_.schema.flags & LEVIN_F_MANUAL) {  // its training step works only in a fit
      const std::string problem = try_fit(subject_, data.part(subject_.plugins));
      return problem.empty() ? Trial::fits : failed(data, problem, Trial::throws);
    }
    std::unique_ptr<Step> step;
    try {
      step = std::make_unique<Step>(subject_, data);
    } catch (const std::exception& e) {
      return failed(data, brief(e), Trial::refuses);
    }
    if (!whole) return run(data, [&] { step->run(LEVIN_STAGE_FIT); });
    Trial trial = run(data, [&] { step->training(); });
    for (const uint32_t stage : {LEVIN_STAGE_VALIDATE, LEVIN_STAGE_PREDICT})
      if (trial == Trial::fits) trial = run(data, [&] { Step(subject_, data).evaluation(stage); });
    return trial;
  }
  // Returns why the first and the last rejected data did not fit.
  std::string reasons() const {
    if (reasons_.empty()) return "";
    return reasons_.front() + (reasons_.size() > 1 ? "; " + reasons_.back() : "");
  }

 private:
  template <class Call>
  Trial run(const TrialData& data, Call&& call) {
    try {
      call();
      return Trial::fits;
    } catch (const Skip&) {
      return Trial::fits;
    } catch (const Error& e) {
      const std::string text = brief(e);
      if (text.find("the batch has no field '") != std::string::npos) return failed(data, text, Trial::refuses);
      return failed(data, text, e.kind() == ErrorKind::plugin ? Trial::breaks : Trial::throws);
    } catch (const std::exception& e) {
      return failed(data, brief(e), Trial::throws);
    }
  }
  Trial failed(const TrialData& data, const std::string& why, Trial trial) {
    reasons_.push_back(data.name() + ": " + why);
    return trial;
  }

  Subject subject_;
  std::vector<std::string> reasons_;
};

std::vector<std::unique_ptr<TrialData>> fake_data() {
  const FakeData::Form forms[] = {
      {"images of 10 classes", {1, 28, 28}, 10, 0, {}},
      {"coloured images of 10 classes", {3, 32, 32}, 10, 0, {}},
      {"vectors of 3 classes", {8}, 3, 0, {}},
      {"pairs of 2 classes", {2}, 2, 0, {}},
      {"vectors with a number", {8}, 0, 0, {}},
      {"rows of 16 tokens, each with the next", {16}, 10, 10, {16}},
      {"rows of 16 tokens, of 2 classes", {16}, 2, 10, {}},
      {"coloured images with a class of each pixel", {3, 32, 32}, 4, 0, {32, 32}},
      {"coloured images with a number", {3, 32, 32}, 0, 0, {}},
      {"vectors with a vector", {8}, 0, 0, {8}},
      {"series of 16 vectors, of 3 classes", {16, 8}, 3, 0, {}},
      {"large coloured images of 10 classes", {3, 96, 96}, 10, 0, {}},
  };
  std::vector<std::unique_ptr<TrialData>> all;
  for (const FakeData::Form& form : forms) all.push_back(std::make_unique<FakeData>(form));
  return all;
}

// Adds the data modules of the plugin whose data is on this machine. Adds to `absent` the reasons why others are left
// out.
void add_own_data(const Subject& subject, std::vector<std::unique_ptr<TrialData>>& all, std::string& absent) {
  for (const ComponentSchema& other : subject.plugins.load(subject.file).schema.components) {
    if (other.kind != LEVIN_KIND_DATA) continue;
    try {
      all.push_back(std::make_unique<OwnRows>(subject, other));
    } catch (const Error& e) {
      absent += "; its data module '" + other.id + "' has no data here: " + brief(e);
    }
  }
}

void check_with(Report& report, Subject subject, const TrialData& data) {
  subject.data = &data.info();
  if (!check_creation(report, subject)) return;
  check_state(report, subject);
  check_steps(report, subject, data);
  check_runs(report, subject, data.part(subject.plugins));
}

}  // namespace

// Fake data comes first, because the rows of a data module may be slow. Data for which only training_step works is
// preferred to data for which a step breaks a rule.
void check_model(Report& report, Subject subject) {
  std::vector<std::unique_ptr<TrialData>> all = fake_data();
  const size_t fake = all.size();
  std::string absent;
  Trials trials(subject);
  const TrialData* broken = nullptr;
  bool throws = false;
  for (const bool whole : {true, false})
    for (size_t i = 0; i < all.size(); ++i) {
      const Trial trial = trials.of(*all[i], whole);
      if (trial == Trial::fits) return check_with(report, subject, *all[i]);
      if (trial == Trial::breaks && !broken) broken = all[i].get();
      throws = throws || trial == Trial::throws;
      if (whole && i + 1 == fake) add_own_data(subject, all, absent);
    }
  if (broken) return check_with(report, subject, *broken);
  subject.data = &all[0]->info();
  check_creation(report, subject);
  const std::string why = trials.reasons() + absent;
  if (throws)
    report.check(22, "training_step on one of the kinds of data that are tried", [&] {
      return "it fails on each of the " + std::to_string(all.size()) +
             " kinds, so that nothing more was checked: " + why +
             "; if the model needs other rows, put a data module with such rows into the same plugin";
    });
  else
    report.check(20, "visit, mode, steps and leaks",
                 [&]() -> std::string { throw Skip{"it takes none of the generated data; " + why}; });
}

}  // namespace levin::core
