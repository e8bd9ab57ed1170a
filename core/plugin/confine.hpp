// Confines a process that describes a plugin, because it runs unchecked code.
#pragma once

namespace levin::core {

// From now on this process cannot open network connections, start programs or other processes, or change files or other
// processes: such calls fail with EACCES. CPU time and memory are limited. If Levin was built without libseccomp or the
// kernel has no seccomp, only the limits apply.
void confine();

}  // namespace levin::core
