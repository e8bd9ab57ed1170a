#include "script_file.hpp"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "levin/error.hpp"

namespace torchscript {
namespace {

constexpr const char* way = "; in Python, torch.jit.script(network).save(\"network.pt\") writes a TorchScript file";

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw levin::Error(LEVIN_E_INVALID, file + ": " + what);
}

// Returns the first line with text of an error of LibTorch, without the place in its sources.
std::string brief(const std::exception& error) {
  const std::string text = error.what();
  const size_t begin = std::min(text.find_first_not_of("\n "), text.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

// What a zip archive without TorchScript's records is, by the names of its records.
struct OtherFile {
  const char* record;
  const char* is;
};
constexpr OtherFile other_files[] = {
    {"serialized_exported_program", "a file of torch.export, whose graph only Python can train"},
    {"archive_format", "a file of torch.export or AOTInductor, whose graph only Python can train"},
    {"data.pkl",
     "a file of torch.save: it has tensors, but not the code of the network; --model.init_from loads its tensors into "
     "a "
     "model"},
};

// Returns the last bytes of the file, where a zip archive names its records; "" for other files.
std::string directory_of(const std::string& file) {
  constexpr std::streamoff most = 8 << 20;  // 80,000 records
  std::ifstream in(file, std::ios::binary);
  std::string start(2, '\0');
  if (!in.read(start.data(), 2) || start != "PK") return "";
  in.seekg(0, std::ios::end);
  in.seekg(std::max<std::streamoff>(0, in.tellg() - most));
  return {std::istreambuf_iterator<char>(in), {}};
}

void require_script(const std::string& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    refuse(file, "not a file");
  if (!std::ifstream(file))
    refuse(file, "cannot be opened: " + std::generic_category().message(errno) +
                     "; --model.file names the file of the network");
  const std::string directory = directory_of(file);
  if (!directory.empty() && directory.find("PK\5\6") == std::string::npos)
    refuse(file, "the file is cut off: its end is missing; copy or save it again");
  const auto has = [&](const char* record) { return directory.find(record) != std::string::npos; };
  if (has("constants.pkl") && has("code/")) return;
  for (const OtherFile& other : other_files)
    if (has(other.record)) refuse(file, std::string(other.is) + way);
  refuse(file, std::string("not a TorchScript file") + way);
}

torch::jit::Module loaded(const std::string& file) {
  try {
    return torch::jit::load(file, c10::kCPU);
  } catch (const std::exception& e) {
    refuse(file, "LibTorch cannot load the network: " + brief(e));
  }
}

// Returns the name of an attribute that holds the packed weights of a quantized layer, or "".
std::string packed_weights(const torch::jit::Module& module, const std::string& prefix) {
  for (const auto& attribute : module.named_attributes(/*recurse=*/false)) {
    const std::string name = prefix + attribute.name;
    if (attribute.value.isModule()) {
      const std::string inside = packed_weights(attribute.value.toModule(), name + ".");
      if (!inside.empty()) return inside;
    } else if (attribute.value.isCustomClass()) {
      return name;
    }
  }
  return "";
}

void require_trainable(const std::string& file, const torch::jit::Module& module) {
  const std::string packed = packed_weights(module, "");
  if (!packed.empty())
    refuse(file,
           packed + " belongs to a quantized layer, which has no gradient; save the network before it is quantized");
  if (module.parameters().size() == 0)
    refuse(file,
           "the network has no parameters to train; if torch.jit.freeze or optimize_for_inference has made them "
           "constants, save the network before that");
  const auto forward = module.find_method("forward");
  if (!forward) refuse(file, "the network has no forward");
  std::vector<std::string> needed;
  const auto& arguments = forward->function().getSchema().arguments();
  for (size_t i = 1; i < arguments.size(); ++i)  // the first one is the module
    if (!arguments[i].default_value()) needed.push_back(arguments[i].name());
  if (needed.size() == 1) return;
  std::string names;
  for (const std::string& name : needed) names += (names.empty() ? "" : ", ") + name;
  refuse(file, "forward has to take one tensor, the input of the data, and takes " +
                   (needed.empty() ? std::string("none") : std::to_string(needed.size()) + ": " + names) +
                   "; wrap the network in a module whose forward takes one");
}

// Operators with a flag that is true in training. A trace has the flag of its own mode as a constant. Dropout whose
// probability is no constant follows the mode by the probability, as in nn.MultiheadAttention.
struct ModeOperator {
  const char* name;
  size_t flag;         // index of the input
  size_t probability;  // index of the input; 0 = none
  const char* what;
};
constexpr ModeOperator mode_operators[] = {
    {"aten::batch_norm", 5, 0, "batch norm"}, {"aten::instance_norm", 5, 0, "instance norm"},
    {"aten::dropout", 2, 1, "dropout"},       {"aten::feature_dropout", 2, 1, "dropout"},
    {"aten::alpha_dropout", 2, 1, "dropout"},
};

using FixedModes = std::set<std::pair<std::string, bool>>;  // what, and true = always in training mode

void find_fixed_modes(const torch::jit::Block& block, FixedModes& out) {
  for (const torch::jit::Node* node : block.nodes()) {
    for (const torch::jit::Block* inner : node->blocks()) find_fixed_modes(*inner, out);
    for (const ModeOperator& each : mode_operators) {
      if (node->kind() != c10::Symbol::fromQualString(each.name) || node->inputs().size() <= each.flag) continue;
      if (each.probability != 0 && !torch::jit::toIValue(node->inputs()[each.probability])) continue;
      const auto value = torch::jit::toIValue(node->inputs()[each.flag]);
      if (value && value->isBool()) out.emplace(each.what, value->toBool());
    }
  }
}

std::vector<std::string> fixed_modes(const std::string& file, const torch::jit::Module& module) {
  const auto graph = module.get_method("forward").graph()->copy();
  torch::jit::Inline(*graph);
  FixedModes found;
  find_fixed_modes(*graph->block(), found);
  std::vector<std::string> out;
  for (const auto& [what, training] : found)
    out.push_back(file + ": " + what + " is always in " + (training ? "training" : "evaluation") +
                  " mode, as a trace records the mode that the network was in; torch.jit.script keeps both modes");
  return out;
}

}  // namespace

Script read_script(const std::string& file) {
  require_script(file);
  Script out{loaded(file), {}};
  require_trainable(file, out.module);
  out.warnings = fixed_modes(file, out.module);
  return out;
}

}  // namespace torchscript
