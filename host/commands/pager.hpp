// Shows long text in the user's pager, as git does.
#pragma once
#include <string>

namespace levin::core {

// Shows the text with $PAGER, or else less, if stdout is a terminal with fewer lines. Returns false if nothing was
// shown: the text fits, TERM is dumb, PAGER is empty or cat, or the pager could not be started.
bool show_in_pager(const std::string& text);

}  // namespace levin::core
