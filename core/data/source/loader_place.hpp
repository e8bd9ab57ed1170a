// Identifies a loader, for calls and messages.
#pragma once
#include <string>

#include "core/base/error.hpp"
#include "core/components/data_module.hpp"

namespace levin::core {

// Borrows the data module and its description.
struct LoaderPlace {
  const DataModule& data;
  uint32_t split, loader;
  const SplitInfo& info;

  std::string text() const;                    // "split train", or "split val, loader 1"
  std::string field_text(size_t field) const;  // the same with the field: ", field 'x'"
  // Returns an error with the message "libx.so: x.next: " and `what`.
  Error error(ErrorCode code, const std::string& call, const std::string& what) const;
};

}  // namespace levin::core
