// The components of a program, and those of the plugin files beside it.
#pragma once
#include <string>
#include <vector>

#include "host/compose/component_source.hpp"

namespace levin::core {

class ProgramSource : public ComponentSource {
 public:
  // program: the file of the program's plugin as in a RunConfig; schema: its description. Both must outlive the source.
  ProgramSource(std::string program, const PluginSchema& schema, PluginIndex& files)
      : program_(std::move(program)), schema_(schema), files_(files) {}
  FoundComponent find(const std::string& written, uint32_t kind) override;
  std::vector<FoundComponent> all(uint32_t kind) override { return files_.all(kind); }

 private:
  std::string program_;
  const PluginSchema& schema_;
  PluginSource files_;
};

}  // namespace levin::core
