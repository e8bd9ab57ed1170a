#include <iostream>
#include <stdexcept>
#include <utility>

#include "core/base/file.hpp"
#include "inference/loaded_model.hpp"
#include "inference/plain_errors.hpp"
#include "sdk/include/levin/inference.hpp"

namespace levin {
namespace {

void to_terminal(const std::string& line) { std::cerr << "levin: warning: " << line << "\n"; }

core::ModelSource source_of(const std::string& checkpoint, const PredictorOptions& options) {
  return {core::absolute_path(checkpoint).string(), options.plugin, options.trust, options.device};
}

std::vector<std::string> classes_of(const core::LoadedModel& model) {
  for (const core::FieldInfo& field : model.fields())
    if (field.role == LEVIN_ROLE_TARGET) return field.class_names;
  return {};
}

}  // namespace

struct Predictor::Impl {
  Impl(const std::string& checkpoint, const PredictorOptions& options)
      : model(source_of(checkpoint, options), options.warn ? options.warn : to_terminal),
        class_names(classes_of(model)) {}

  core::LoadedModel model;
  std::vector<std::string> class_names;
};

Predictor::Predictor(const std::string& checkpoint, const PredictorOptions& options)
    : impl_(with_plain_errors([&] { return std::make_unique<Impl>(checkpoint, options); })) {}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

Predictor::Impl& Predictor::used() const {
  if (!impl_) throw std::runtime_error("this Predictor has no model: it was moved from");
  return *impl_;
}

std::vector<torch::Tensor> Predictor::predict(const std::vector<torch::Tensor>& inputs) const {
  return with_plain_errors([&] { return used().model.forward(inputs); });
}

torch::Tensor Predictor::predict(const torch::Tensor& input) const {
  const std::vector<torch::Tensor> results = predict(std::vector<torch::Tensor>{input});
  if (results.empty()) throw std::runtime_error("the model's forward returned no tensor");
  return results.front();
}

const std::vector<std::string>& Predictor::class_names() const { return used().class_names; }

}  // namespace levin
