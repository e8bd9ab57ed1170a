// Files that may stand in place of a component: --model network.pt is --model torchscript --model.file network.pt.
#pragma once
#include <vector>

#include "host/compose/setting.hpp"

namespace levin::core {

// Replaces each setting that names such a file by the component that reads the file and its option.
void open_files(std::vector<Setting>& settings);

}  // namespace levin::core
