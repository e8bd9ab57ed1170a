// The function that liblevin_download.so exports.
#pragma once
#include <functional>
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

struct LocalCopy {
  std::string path;                  // where it is, or would be
  std::string problem;               // why it is not there; "" = it is
  levin_status status = LEVIN_E_IO;  // of the problem; LEVIN_E_INVALID: the address is wrong
  bool ended = false;                // the run ends before the copy is there
};

struct LocalCopyCalls {
  std::function<void(const std::string&)> tell;  // gets messages for the user
  std::function<bool()> ends;                    // returns true if the run ends
};

// Gives the local copy of what is at an address, at once if it was made before; of several processes one downloads, and
// the others wait.
using MakeLocalCopy = void (*)(const std::string& address, const LocalCopyCalls& calls, LocalCopy& out);
constexpr const char* local_copy_symbol = "levin_local_copy";

}  // namespace levin::core
