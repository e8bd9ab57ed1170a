// Reads single rows of a data module, any of which may be wrong, into buffers that detect writes beyond their ends.
#pragma once
#include <string>
#include <vector>

#include "core/components/data_module.hpp"
#include "core/data/source/row_source.hpp"

namespace levin::core {

struct Place {
  uint32_t split, loader;
  SplitInfo info;
  std::string name() const;
};

using Rows = std::vector<std::string>;  // the bytes of each row, with all its fields one after the other

// Calls the plugin's fill on buffers filled with the pattern. Throws Error{plugin} if it writes beyond a buffer.
Rows fill(const DataModule& data, const Place& place, const std::vector<int64_t>& indices,
          unsigned char pattern = 0x5a);

// Returns the indices of the first and last rows of the split, a few of each.
std::vector<int64_t> sample(const Place& place);

// Returns which row differs, or "".
std::string differing(const Place& place, const std::vector<int64_t>& indices, const Rows& a, const Rows& b);

// Reads rows as the host does, by whichever function the data module has.
std::vector<at::Tensor> fetched(RowSource& source, const Place& place, const std::vector<int64_t>& indices);

// Returns the number of checked rows: "train: 640 of 640 rows; val: 4000 of 60000 rows"; "" if no loader has a known
// number of rows.
std::string seen_rows(const std::vector<Place>& places);

// Returns the first of these rows that two calls of fill write differently, as text, or "".
std::string written_twice(const DataModule& data, const Place& place);
// Returns the problem of the first of these rows that cannot be read, has a non-finite number, or has a label outside
// the classes, or "". Rows are read by the same function as in a run.
std::string sound_rows(const DataModule& data, const Place& place);
// Like sound_rows(), for the batches of one epoch of a stream, up to the same number of rows.
std::string sound_stream(const Place& place, RowSource& source);

}  // namespace levin::core
