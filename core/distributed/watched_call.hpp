// A call that nothing else can end, as one that waits for other processes in LibTorch. For sources of this folder.
#pragma once
#include <functional>

namespace levin::core {

// Makes the call on a thread of its own and waits for it; throws what it throws. while_waiting is called about fifty
// times a second. If it throws, the call is left to itself, as the process is about to end: what it uses must live on.
void watched_call(std::function<void()> call, const std::function<void()>& while_waiting);

}  // namespace levin::core
