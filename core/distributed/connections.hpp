// TCP connections of this process that belong to a library, which does not show them.
#pragma once

namespace levin::core {

// Ends the connections to that port of any machine: whoever reads from one, on any thread, gets its end.
void end_connections(int port);

}  // namespace levin::core
