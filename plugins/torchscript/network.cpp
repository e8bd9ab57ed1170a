#include "network.hpp"

#include <torch/csrc/jit/runtime/graph_executor.h>

#include <exception>
#include <sstream>
#include <utility>

namespace torchscript {
namespace {

std::string type_of(const torch::jit::Module& script) {
  const auto name = script.type()->name();
  return name ? name->name() : "Module";
}

[[noreturn]] void refuse_output(const c10::IValue& value) {
  const std::string what = value.isList() && value.toListRef().empty() ? "an empty list" : value.tagKind();
  throw levin::Error(LEVIN_E_INVALID, "forward of the TorchScript network returned " + what +
                                          ", and has to return a tensor, or a tuple, list or dictionary with one");
}

torch::Tensor first_tensor(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor();
  if (value.isTensorList() && !value.toTensorVector().empty()) return value.toTensorVector().front();
  if (value.isTuple() && !value.toTupleRef().elements().empty()) return first_tensor(value.toTupleRef().elements()[0]);
  if (value.isList() && !value.toListRef().empty()) return first_tensor(value.toListRef()[0]);
  if (value.isGenericDict() && value.toGenericDict().size() > 0) {
    const auto dict = value.toGenericDict();
    const auto out = dict.find("out");
    return first_tensor((out == dict.end() ? dict.begin() : out)->value());
  }
  refuse_output(value);
}

// Returns what failed inside the network, from LibTorch's report with its stack of TorchScript; else "". Under the
// stack is a line such as "RuntimeError: shapes differ", or "builtins.ValueError: too few rows" if the network raised
// it.
std::string cause_of(const std::string& report) {
  const std::string mark = "Error: ";
  const size_t last = report.rfind(mark), line = last == std::string::npos ? last : report.rfind('\n', last);
  if (line == std::string::npos) return "";
  const size_t begin = report.find(mark, line) + mark.size();  // the message may have the word, too
  return report.substr(begin, report.find('\n', begin) - begin);
}

// Returns advice for an input whose type is not that of the parameters; else "".
std::string advice_on_type(const torch::jit::Module& script, const torch::Tensor& input) {
  constexpr std::pair<torch::ScalarType, const char*> precisions[] = {{torch::kDouble, "64-true"},
                                                                      {torch::kFloat, "32-true"},
                                                                      {torch::kBFloat16, "bf16-true"},
                                                                      {torch::kHalf, "16-true"}};
  const auto parameters = script.parameters();
  if (parameters.size() == 0 || !input.is_floating_point()) return "";
  const torch::ScalarType type = (*parameters.begin()).scalar_type();
  for (const auto& [of, precision] : precisions)
    if (of == type && type != input.scalar_type())
      return std::string("; the network has numbers of the type ") + toString(type) + ", and its input is " +
             toString(input.scalar_type()) + ": --trainer.precision " + precision + " gives it that type";
  return "";
}

}  // namespace

Part::Part(const torch::jit::Module& script) : torch::nn::Module(type_of(script)), script_(script) {
  for (const auto& parameter : script_.named_parameters(/*recurse=*/false))
    register_parameter(parameter.name, parameter.value, parameter.value.requires_grad());
  for (const auto& buffer : script_.named_buffers(/*recurse=*/false)) register_buffer(buffer.name, buffer.value);
  for (const auto& child : script_.named_children()) register_module(child.name, std::make_shared<Part>(child.value));
  Module::train(!script_.hasattr("training") || script_.is_training());
}

void Part::train(bool on) {
  if (script_.hasattr("training")) script_.setattr("training", on);
  Module::train(on);
}

Network::Network(const levin::Args& args) : Network(read_script(args.text("file"))) {}

Network::Network(Script script) : Part(script.module), warnings_(std::move(script.warnings)) {}

torch::Tensor Network::forward(torch::Tensor input) {
  const torch::jit::GraphOptimizerEnabledGuard as_written(false);
  try {
    return first_tensor(script_.forward({input}));
  } catch (const std::exception& e) {
    const std::string cause = cause_of(e.what());
    if (cause.empty()) throw;
    std::ostringstream sizes;
    sizes << input.sizes();
    throw levin::Error(LEVIN_E_INVALID, "forward of the TorchScript network failed for an input " + sizes.str() + ": " +
                                            cause + advice_on_type(script_, input));
  }
}

}  // namespace torchscript
