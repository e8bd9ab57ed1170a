// The modules of a TorchScript file: parameters and buffers in nested modules, according to the dots in their names.
#pragma once
#include <torch/csrc/jit/api/module.h>

#include <map>
#include <memory>
#include <string>

#include "core/components/step_outputs.hpp"

namespace levin::core {

class ScriptModules {
 public:
  ScriptModules();
  void add(const NamedTensor& tensor, bool is_buffer);
  torch::jit::Module& root() { return root_; }

 private:
  torch::jit::Module made(const std::string& type);
  torch::jit::Module module(const std::string& path);

  std::shared_ptr<torch::jit::CompilationUnit> unit_;
  torch::jit::Module root_;
  std::map<std::string, torch::jit::Module> modules_;
};

}  // namespace levin::core
