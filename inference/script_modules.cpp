#include "inference/script_modules.hpp"

namespace levin::core {
namespace {

// A module is saved as code, in which these names are keywords. Such a name gets an underscore at its end.
constexpr const char* reserved_words[] = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                          "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                          "else",   "except", "finally", "for",      "from",     "global", "if",
                                          "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                          "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};

std::string attribute_name(const std::string& path) {
  std::string name = path.substr(path.rfind('.') + 1);
  for (const char* word : reserved_words)
    if (name == word) return name + "_";
  return name;
}

std::string parent_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

}  // namespace

ScriptModules::ScriptModules() : unit_(std::make_shared<torch::jit::CompilationUnit>()), root_(made("Model")) {}

void ScriptModules::add(const NamedTensor& tensor, bool is_buffer) {
  module(parent_of(tensor.name)).register_parameter(attribute_name(tensor.name), tensor.tensor, is_buffer);
}

torch::jit::Module ScriptModules::made(const std::string& type) {
  torch::jit::Module out(c10::QualifiedName("__torch__.levin." + type), unit_, /*shouldMangle=*/true);
  out.register_attribute("training", c10::BoolType::get(), false);  // needed by eval()
  return out;
}

torch::jit::Module ScriptModules::module(const std::string& path) {
  if (path.empty()) return root_;
  const auto known = modules_.find(path);
  if (known != modules_.end()) return known->second;
  torch::jit::Module parent = module(parent_of(path)), child = made("Part");
  parent.register_module(attribute_name(path), child);
  modules_.emplace(path, child);
  return child;
}

}  // namespace levin::core
