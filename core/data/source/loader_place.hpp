// Which loader it is, for calls and for what is said of it.
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
  std::string field_text(size_t field) const;  // the same with ", field 'x'"
  // "libx.so: x.next: split train: " and what is wrong there.
  Error error(ErrorKind kind, const std::string& call, const std::string& what) const;
};

}  // namespace levin::core
