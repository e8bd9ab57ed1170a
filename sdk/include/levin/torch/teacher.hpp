// Distillation: a trained network teaches a classifier (Hinton, Vinyals, Dean, "Distilling the Knowledge in a Neural
// Network", 2015, https://arxiv.org/abs/1503.02531).
#pragma once
#include <ATen/ops/log_softmax.h>
#include <c10/core/ScalarType.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "levin/torch/network_loss.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Returns temperature^2 * KL(teacher || student) of scores [B, classes, ...], the mean over rows, pixels or tokens.
// Those with the target -100 are left out. target: undefined = there is none.
inline torch::Tensor teacher_loss(const torch::Tensor& student, const torch::Tensor& teacher,
                                  const torch::Tensor& target, double temperature) {
  const at::ScalarType type = c10::promoteTypes(student.scalar_type(), at::kFloat);  // of half precision too
  const torch::Tensor theirs = (teacher.to(type) / temperature).log_softmax(1),
                      own = (student.to(type) / temperature).log_softmax(1);
  const torch::Tensor divergence = (theirs.exp() * (theirs - own)).sum(1) * (temperature * temperature);
  if (!target.defined() || target.is_floating_point() || target.dim() < 2 || target.sizes() != divergence.sizes())
    return divergence.mean();
  const torch::Tensor counts = target.ne(-100);
  return (divergence * counts).sum() / counts.sum().clamp_min(1);
}

// The options of the teacher, and the teacher itself, which the host keeps: it is no part of the model.
class Teacher {
 public:
  explicit Teacher(const Args& args)
      : file_(args.text("teacher")),
        temperature_(args.number("teacher_temperature")),
        weight_(args.number("teacher_weight")) {}

  static std::vector<levin_option> declared() {
    return {path("teacher", "\"\"", "distillation: a trained teacher, a checkpoint or TorchScript file; empty = none"),
            with(number("teacher_temperature", "4.0", "distillation: temperature of both softmaxes", 1e-3, 1e3),
                 LEVIN_OPT_TUNABLE),
            with(number("teacher_weight", "0.9", "distillation: weight of the teacher's loss; the rest is the target's",
                        0, 1),
                 LEVIN_OPT_TUNABLE)};
  }
  // Throws Error if an option names a teacher, which this task has no use for.
  static void refuse(const Args& args, const std::string& task) {
    if (!args.text("teacher").empty())
      throw Error(LEVIN_E_INVALID, "--model.teacher is for classes, and the task is " + task);
  }

  explicit operator bool() const { return !file_.empty(); }
  // Opens the file at the first call. Throws Error if it has no network, or one for other inputs or classes.
  void open(const Run& run, const DataInfo& data) {
    if (network_ || file_.empty()) return;
    const levin_networks& networks = run.networks();
    levin_network* opened = nullptr;
    check(networks.open(run.raw(), file_.c_str(), &opened), "--model.teacher");
    network_ = {opened, networks.close};
    if (const levin_data_info* trained_on = networks.data(opened)) compare(DataInfo(trained_on), data);
  }
  // Returns the teacher's loss of this batch.
  torch::Tensor loss(const Run& run, const torch::Tensor& input, const torch::Tensor& scores,
                     const torch::Tensor& target) const {
    const torch::Tensor theirs = scores_of(run, input);
    if (theirs.sizes() != scores.sizes())
      throw Error(LEVIN_E_INVALID, named() + " gives scores " + shape_text(theirs) + ", and the model " +
                                       shape_text(scores) + ": both need the same classes");
    return teacher_loss(scores, theirs, target, temperature_);
  }
  // Returns the loss of training.
  torch::Tensor blended(const torch::Tensor& of_target, const torch::Tensor& of_teacher) const {
    return of_target * (1 - weight_) + of_teacher * weight_;
  }

 private:
  std::string named() const { return "--model.teacher " + file_; }
  torch::Tensor scores_of(const Run& run, const torch::Tensor& input) const {
    levin_tensor* in = to_handle(input);
    std::vector<levin_tensor*> out(16);
    uint32_t n = 0;
    check(run.networks().forward(run.raw(), network_.get(), &in, 1, out.data(), static_cast<uint32_t>(out.size()), &n),
          named().c_str());
    out.resize(n);
    const TensorList owned(run.host(), std::move(out));
    if (n == 0) throw Error(LEVIN_E_INVALID, named() + ": its forward returned no tensor");
    return to_torch(owned[0]);
  }
  void compare(const DataInfo& trained_on, const DataInfo& data) const {
    for (const Field& field : trained_on.fields()) {
      if (field.role == LEVIN_ROLE_INPUT && field.name == trained_on.input().name && field.shape != data.input().shape)
        throw Error(LEVIN_E_INVALID, named() + " was trained on inputs " + levin::shape_text(field.shape) +
                                         ", and the data has " + levin::shape_text(data.input().shape));
      if (field.role == LEVIN_ROLE_TARGET) compare_classes(field, data.target());
    }
  }
  void compare_classes(const Field& theirs, const Field& own) const {
    if (theirs.classes != own.classes)
      throw Error(LEVIN_E_INVALID, named() + " was trained for " + std::to_string(theirs.classes) +
                                       " classes, and the data has " + std::to_string(own.classes));
    for (size_t i = 0; i < theirs.class_names.size() && i < own.class_names.size(); ++i)
      if (theirs.class_names[i] != own.class_names[i])
        throw Error(LEVIN_E_INVALID, named() + " was trained with the class " + std::to_string(i) + " = '" +
                                         theirs.class_names[i] + "', and in the data it is '" + own.class_names[i] +
                                         "'");
  }

  const std::string file_;
  const double temperature_, weight_;
  std::unique_ptr<levin_network, void (*)(levin_network*)> network_{nullptr, nullptr};
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
