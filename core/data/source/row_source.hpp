// Where a loader's rows come from: one of the ways in which a data module can provide them.
#pragma once
#include <memory>

#include "core/data/source/batch.hpp"
#include "core/data/source/loader_place.hpp"

namespace levin::core {

struct Fetch {
  const int64_t* indices = nullptr;  // the rows to fetch; nullptr for streams
  int64_t rows = 0;                  // for streams: the batch size that is wanted; 0: the stream chooses it
  int64_t epoch = 0;
  uint64_t seed = 0;
  bool at_most = false;  // for streams: a batch of more rows is refused, because the user gave the batch size
};

// What the calls of a data module are told of it.
levin_fill fill_arguments(const LoaderPlace& place, const Fetch& fetch);

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Fills the slot with what the data module described, or returns false when the epoch of a stream has ended. Called
  // from several threads at once only if concurrent().
  virtual bool fetch(const Fetch& fetch, BatchSlot& slot) = 0;
  virtual const char* call() const { return ""; }  // the function of the data module that it calls for rows
  virtual void rewind(const Fetch&) {}
  virtual bool rewinds() const { return true; }  // else an epoch goes on where the one before it has ended
  virtual bool is_stream() const { return false; }
  virtual bool concurrent() const { return false; }
};

// Whether the rows come from `next`, whose batches nobody but the plugin decides on.
bool comes_as_stream(const DataModule& data, const SplitInfo& info);

// Chooses the first function that the data module has of resident, fill, batch and next; of batch and next if rows
// differ in shape. For a loader without rows none is needed. Throws Error{plugin} if there is no such function.
std::unique_ptr<RowSource> make_row_source(const LoaderPlace& place);

}  // namespace levin::core
