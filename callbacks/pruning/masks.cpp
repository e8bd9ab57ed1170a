#include "masks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace levin::pruning {
namespace {

constexpr int64_t type_bool = 11, type_float = 6;  // c10::ScalarType

int64_t elements(const std::vector<int64_t>& shape) {
  int64_t out = 1;
  for (const int64_t size : shape) out *= size;
  return out;
}

// Returns the magnitudes of the weights, rows or columns of a parameter, as a vector of float32. Those of rows and
// columns are means, so that they can be compared with rows of another length.
OwnedTensor magnitudes(const Ops& ops, const Parameter& parameter, const Choice& choice) {
  const OwnedTensor values = ops("detach", "", {parameter.tensor});
  const OwnedTensor floats = ops("to", "dtype", {ops("abs", "", {values}), type_float});
  if (choice.structure == Structure::weight) return ops("flatten", "using_ints", {floats});
  const int64_t along = choice.structure == Structure::column ? 1 : 0;
  const OwnedTensor parts = ops("flatten", "using_ints", {ops("transpose", "int", {floats, along, 0}), 1});
  const std::vector<int64_t> within{1};
  if (choice.norm == 1) return ops("mean", "dim", {parts, within});
  return ops("sqrt", "", {ops("mean", "dim", {ops("square", "", {parts}), within})});
}

// Returns a mask of the smallest values of a vector. Only with part 1 are all of them in it.
OwnedTensor smallest(const Ops& ops, const OwnedTensor& values, double part) {
  const int64_t n = elements(ops.shape(values.get()));
  const int64_t k = part < 1 ? std::min<int64_t>(std::llround(part * static_cast<double>(n)), n - 1) : n;
  const std::vector<OwnedTensor> found = ops.call("topk", "", {values, k, 0, /*largest=*/false, /*sorted=*/false}, 2);
  const OwnedTensor none = ops("zeros_like", "", {values, type_bool});
  return ops("index_fill", "int_Scalar", {none, 0, found[1], true});
}

// Returns a mask of the parameter's shape.
OwnedTensor spread(const Ops& ops, const OwnedTensor& mask, const Parameter& parameter, Structure structure) {
  const std::vector<int64_t> shape = ops.shape(parameter.tensor.get());
  if (structure == Structure::weight) return ops("reshape", "", {mask, shape});
  const size_t along = structure == Structure::column ? 1 : 0;
  std::vector<int64_t> of_parts(shape.size(), 1);
  of_parts[along] = shape[along];
  return ops("clone", "", {ops("expand", "", {ops("reshape", "", {mask, of_parts}), shape}), /*contiguous=*/0});
}

levin_device device_of(const levin_host* host, levin_tensor* tensor) {
  levin_view view{};
  detail::check(host->tensor_view(host, tensor, &view), "tensor_view");
  return view.device;
}

OwnedTensor moved(const Run& run, levin_tensor* tensor, levin_device device) {
  levin_tensor* out = nullptr;
  detail::check(run.devices().to(run.host(), tensor, device, &out), "to");
  return {run.host(), out};
}

std::string key_of(const std::string& parameter) { return "mask." + parameter; }

}  // namespace

void Masks::begin(const Run& run, const std::vector<std::string>& patterns) {
  const Ops ops(run);
  parameters_.clear();
  for (Parameter& parameter : parameters(run, patterns))
    if (ops.shape(parameter.tensor.get()).size() >= 2) parameters_.push_back(std::move(parameter));
  if (parameters_.empty())
    throw Error(LEVIN_E_INVALID,
                "parameters names no weights of two or more dimensions: biases and normalization are not pruned");
  if (masks_.empty()) return;
  bool fit = names_.size() == parameters_.size();
  for (size_t i = 0; fit && i < names_.size(); ++i)
    fit = names_[i] == parameters_[i].name && ops.shape(masks_[i].get()) == ops.shape(parameters_[i].tensor.get());
  if (!fit)
    throw Error(LEVIN_E_STATE,
                "the checkpoint has masks of other parameters; resume with the same model and the same option "
                "parameters");
  for (size_t i = 0; i < masks_.size(); ++i)
    masks_[i] = moved(run, masks_[i].get(), device_of(run.host(), parameters_[i].tensor.get()));
}

void Masks::make(const Run& run, const Choice& choice, double part) {
  const Ops ops(run);
  masks_.clear();
  if (!choice.global) {
    for (const Parameter& parameter : parameters_)
      masks_.push_back(
          spread(ops, smallest(ops, magnitudes(ops, parameter, choice), part), parameter, choice.structure));
    return;
  }
  const levin_device first = device_of(run.host(), parameters_[0].tensor.get());
  std::vector<OwnedTensor> all;
  std::vector<levin_tensor*> handles;
  for (const Parameter& parameter : parameters_) {
    all.push_back(moved(run, magnitudes(ops, parameter, choice).get(), first));
    handles.push_back(all.back().get());
  }
  const OwnedTensor mask = smallest(ops, ops("cat", "", {handles}), part);
  int64_t from = 0;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const int64_t n = elements(ops.shape(handles[i]));
    const OwnedTensor own = spread(ops, ops("narrow", "", {mask, 0, from, n}), parameters_[i], choice.structure);
    const OwnedTensor there = moved(run, own.get(), device_of(run.host(), parameters_[i].tensor.get()));
    masks_.push_back(ops("clone", "", {there}));  // without the memory of the masks beside it
    from += n;
  }
}

void Masks::apply(const Run& run) const {
  const Ops ops(run);
  for (size_t i = 0; i < masks_.size(); ++i)
    ops("masked_fill_", "Scalar", {ops("detach", "", {parameters_[i].tensor}), masks_[i], 0});
}

int64_t Masks::weights(const Run& run) const {
  const Ops ops(run);
  int64_t out = 0;
  for (const Parameter& parameter : parameters_) out += elements(ops.shape(parameter.tensor.get()));
  return out;
}

double Masks::pruned(const Run& run) const {
  const Ops ops(run);
  double out = 0;
  for (const OwnedTensor& mask : masks_) out += ops.item(ops("sum", "", {mask}));
  return out / static_cast<double>(weights(run));
}

void Masks::save(const Writer& writer) const {
  std::string names;
  for (size_t i = 0; i < masks_.size(); ++i) {
    names += parameters_[i].name + "\n";
    writer.put_tensor(key_of(parameters_[i].name).c_str(), masks_[i].get());
  }
  writer.put("parameters", names);
}

void Masks::load(const levin_host* host, const Reader& reader) {
  masks_.clear();
  names_.clear();
  std::string names;
  reader.get("parameters", names);
  for (size_t at = 0, end = 0; (end = names.find('\n', at)) != std::string::npos; at = end + 1) {
    names_.push_back(names.substr(at, end - at));
    levin_tensor* mask = nullptr;
    if (!reader.get_tensor(key_of(names_.back()).c_str(), &mask))
      throw Error(LEVIN_E_STATE, "the checkpoint lacks the mask of " + names_.back());
    masks_.emplace_back(host, mask);
  }
}

}  // namespace levin::pruning
