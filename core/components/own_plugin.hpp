// A plugin that is part of this program, with objects that its components stand for.
#pragma once
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

struct OwnPlugin {
  std::string file;           // as in a RunConfig: see core/config/program_file.hpp
  const levin_plugin* table;  // outlives the run
  const char* service;        // the service by which its components find `objects`
  const void* objects;        // outlives the run
};

}  // namespace levin::core
