// Reads all elements of a weight file.
#pragma once
#include "core/base/error.hpp"
#include "core/weights/state_dict_file.hpp"
#include "tests/fuzz/target.hpp"

namespace levin::fuzz {

inline void read_weights(const std::string& path) try {
  const core::StateDictFile file(path);
  for (const std::string& name : file.names()) {
    const core::StoredTensor tensor = file.tensor(name);
    if (tensor.bytes > 1 << 20) continue;  // a view may repeat an element any number of times
    std::string copy(tensor.bytes, '\0');
    core::copy_dense(tensor, copy.data());
  }
} catch (const core::Error&) {
}

}  // namespace levin::fuzz
