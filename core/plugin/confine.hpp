// Takes from a process what describing a plugin does not need, because code runs there that nobody has looked at.
#pragma once

namespace levin::core {

// From now on this process opens no network connection, starts no program or other process, changes no file and no
// other process, and may use only so much CPU time and memory. What it tries fails with EACCES. Only the limits hold
// where Levin was built without libseccomp or the kernel has no seccomp.
void confine();

}  // namespace levin::core
