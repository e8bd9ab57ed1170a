// Where a loader's rows come from: one of the ways in which a data module can provide them.
#pragma once
#include <memory>

#include "core/components/data_module.hpp"
#include "core/data/batch.hpp"

namespace levin::core {

struct Fetch {
  const int64_t* indices = nullptr;  // the rows to fetch; nullptr for streams
  int64_t rows = 0;
  int64_t epoch = 0;
  uint64_t seed = 0;
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Fills the slot, or returns false when the epoch of a stream has ended. Called from several threads at once only if
  // concurrent().
  virtual bool fetch(const Fetch& fetch, BatchSlot& slot) = 0;
  virtual void rewind(int64_t) {}
  virtual bool is_stream() const { return false; }
  virtual bool concurrent() const { return false; }
};

// Chooses the first function that the data module has of resident, fill, batch and next. For a loader without rows none
// is needed. `info` must outlive the source.
std::unique_ptr<RowSource> make_row_source(const DataModule& data, uint32_t split, uint32_t loader,
                                           const SplitInfo& info);

}  // namespace levin::core
