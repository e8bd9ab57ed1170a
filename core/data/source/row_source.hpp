// The source of a loader's rows: one of the ways in which a data module can provide them.
#pragma once
#include <memory>

#include "core/data/source/batch.hpp"
#include "core/data/source/loader_place.hpp"

namespace levin::core {

struct Fetch {
  const int64_t* indices = nullptr;  // the rows to fetch; nullptr for streams
  int64_t rows = 0;                  // for streams: the wanted batch size; 0 = the stream chooses it
  int64_t epoch = 0;
  uint64_t seed = 0;
  bool at_most = false;  // for streams: reject a batch of more rows, because the user gave the batch size
};

// Returns the arguments for a data module's calls.
levin_fill fill_arguments(const LoaderPlace& place, const Fetch& fetch);

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Fills the slot with the described rows. Returns false when the epoch of a stream has ended. Called from several
  // threads at once only if concurrent().
  virtual bool fetch(const Fetch& fetch, BatchSlot& slot) = 0;
  virtual const char* call() const { return ""; }  // the data module's function that provides the rows
  virtual void rewind(const Fetch&) {}
  virtual bool rewinds() const { return true; }  // false = an epoch continues where the previous one ended
  virtual bool is_stream() const { return false; }
  virtual bool concurrent() const { return false; }
};

// Returns true if the rows come from `next`, whose batches the plugin alone chooses.
bool comes_as_stream(const DataModule& data, const SplitInfo& info);

// Returns true if the rows come from `fill`.
bool are_filled(const DataModule& data, const SplitInfo& info);

// Chooses the first of resident, fill, batch and next that the data module has; of batch and next if rows differ in
// shape. A loader without rows needs none. Throws Error{plugin} if there is no such function.
std::unique_ptr<RowSource> make_row_source(const LoaderPlace& place);

}  // namespace levin::core
