// The manual pages: host(1), a page for each command, host-options(7) and host-components(7).
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// The hidden command __man: writes the pages to FOLDER/man1 and FOLDER/man7, from the tables behind the help and from
// the plugins of the installation. The build calls it. Returns 0.
int write_manual(const std::string& folder);

}  // namespace levin::core
