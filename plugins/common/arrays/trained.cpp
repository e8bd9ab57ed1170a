#include "trained.hpp"

namespace arrays {
namespace {

std::string text(const std::vector<int64_t>& shape) { return shape.empty() ? "one number" : joined(shape); }

std::string text(const TargetForm& form) {
  return form.classes > 0 ? std::to_string(form.classes) + " classes" : text(form.shape);
}

}  // namespace

void Trained::save(levin::Writer writer) const {
  writer.put("input_shape", input_shape);
  writer.put("target_shape", target.shape);
  writer.put("classes", target.classes);
  writer.put("mean", mean);
  writer.put("deviation", deviation);
}

bool Trained::load(levin::Reader reader) {
  return reader.get("input_shape", input_shape) && reader.get("target_shape", target.shape) &&
         reader.get("classes", target.classes) && reader.get("mean", mean) && reader.get("deviation", deviation);
}

void Trained::check(const Trained& saved) const {
  const std::string inputs = text(input_shape), targets = text(target);
  if (saved.input_shape != input_shape)
    throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained on inputs of " + text(saved.input_shape) +
                                          ", and now they are " + inputs);
  if (saved.target.classes != target.classes || saved.target.shape != target.shape)
    throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained on targets of " + text(saved.target) +
                                          ", and now they are " + targets);
}

}  // namespace arrays
