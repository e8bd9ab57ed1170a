// Runs a call that cannot be interrupted, such as one that waits for other processes inside LibTorch. For sources of
// this folder.
#pragma once
#include <functional>

namespace levin::core {

// Runs the call on a new thread and waits for it; rethrows its exception. while_waiting is called about fifty times a
// second. If it throws, the thread is detached, as the process is about to end: objects that the call uses must stay
// alive.
void watched_call(std::function<void()> call, const std::function<void()>& while_waiting);

}  // namespace levin::core
