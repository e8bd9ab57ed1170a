// The base of data modules that read files when they are set up, and fill batches on several threads.
#pragma once
#include "levin/data_module.hpp"
#include "option_table.hpp"

namespace common {

// options: the table of the module's options.
template <const auto& options>
class FileModule : public levin::DataModule {
 public:
  static constexpr bool concurrent = true;
  static constexpr uint64_t flags = LEVIN_F_ISOLATABLE;
  static auto option_table() { return table_of(options); }
};

}  // namespace common
