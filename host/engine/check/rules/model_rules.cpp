#include "host/engine/check/rules/model_rules.hpp"

#include <c10/core/GradMode.h>

#include <set>
#include <string>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/components/model.hpp"
#include "host/engine/check/invented/invented_data.hpp"
#include "host/engine/check/invented/invented_run.hpp"
#include "host/engine/check/rules/common_rules.hpp"
#include "host/engine/check/rules/run_rules.hpp"

namespace levin::core {
namespace {

constexpr int64_t rows = 4;

std::unique_ptr<Model> make_model(const Subject& subject) {
  const Created created = subject.create();
  return std::make_unique<Model>(created.origin, created.table, created.self);
}

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
      if (t.name.empty() || !names.insert(t.name).second) return "the name '" + t.name + "' is empty or there twice";
      if (!t.tensor.defined()) return "'" + t.name + "' is no tensor";
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
  Step(const Subject& subject, const InventedData& data)
      : model_(make_model(subject)), run_(*model_), batch_(data.batch(rows)) {}

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
    in.optimizer_idx = in.split_idx = -1;
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

  // After a step and the model's destruction nothing may still have references to the batch or the parameters.
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
  InventedRun run_;
  Batch batch_;
  StepOutputs out_;
};

void check_steps(Report& report, const Subject& subject, const InventedData& data) {
  report.check(20, "visit: the same tensors, under unique names, each time", [&] { return check_visit(subject); });
  report.check(21, "mode: goes to evaluation and back", [&] { return check_modes(subject); });
  report.check(22, "training_step on " + data.name + ": a scalar loss whose gradient reaches a parameter",
               [&] { return Step(subject, data).training(); });
  report.check(23, "validation_step on " + data.name,
               [&] { return Step(subject, data).evaluation(LEVIN_STAGE_VALIDATE); });
  report.check(24, "test_step on " + data.name, [&] { return Step(subject, data).evaluation(LEVIN_STAGE_TEST); });
  report.check(25, "predict_step on " + data.name, [&] { return Step(subject, data).evaluation(LEVIN_STAGE_PREDICT); });
  report.check(26, "leaks: every tensor that it was lent, or made, is released",
               [&] { return Step(subject, data).leaks(); });
}

// Whether the model works with this data, because its steps run without error. whole: tries backward and the evaluation
// steps too, not only training_step. Adds why not to the reasons.
bool fits(const Subject& subject, const InventedData& data, bool whole, std::vector<std::string>& reasons) {
  const auto goes = [&](auto&& call) {
    try {
      Step step(subject, data);
      call(step);
      return true;
    } catch (const Skip&) {
      return true;
    } catch (const std::exception& e) {
      reasons.push_back(data.name + ": " + brief(e));
      return false;
    }
  };
  if (subject.schema.flags & LEVIN_F_MANUAL) {  // its training step works in a fit only
    const std::string problem = try_fit(subject, data.options());
    if (!problem.empty()) reasons.push_back(data.name + ": " + problem);
    return problem.empty();
  }
  if (!whole) return goes([](Step& step) { step.run(LEVIN_STAGE_FIT); });
  return goes([](Step& step) { step.training(); }) && goes([](Step& step) { step.evaluation(LEVIN_STAGE_VALIDATE); }) &&
         goes([](Step& step) { step.evaluation(LEVIN_STAGE_PREDICT); });
}

}  // namespace

void check_model(Report& report, Subject subject) {
  const InventedData all[] = {{"images of 10 classes", {1, 28, 28}, 10},
                              {"coloured images of 10 classes", {3, 32, 32}, 10},
                              {"vectors of 3 classes", {8}, 3},
                              {"pairs of 2 classes", {2}, 2},
                              {"vectors with a number", {8}, 0},
                              {"rows of 16 tokens, each with the next", {16}, 10, 10, InventedData::Target::token},
                              {"rows of 16 tokens, of 2 classes", {16}, 2, 10}};
  std::vector<std::string> reasons;
  for (const bool whole : {true, false})
    for (const InventedData& data : all) {
      subject.data = &data.info;
      if (!fits(subject, data, whole, reasons)) continue;
      if (!check_creation(report, subject)) return;
      check_state(report, subject);
      check_steps(report, subject, data);
      return check_runs(report, subject, data.options());
    }
  subject.data = &all[0].info;
  check_creation(report, subject);
  report.check(20, "visit, mode, steps and leaks", [&]() -> std::string {
    throw Skip{"it takes none of the data invented here; " + reasons.front() + "; " + reasons.back()};
  });
}

}  // namespace levin::core
