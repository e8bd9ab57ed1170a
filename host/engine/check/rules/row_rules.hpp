// Rules about single rows of a data module, any of which may be wrong.
#pragma once
#include <string>
#include <vector>

#include "core/data/source/row_source.hpp"
#include "host/engine/check/rules/data_calls.hpp"

namespace levin::core {

// Returns the rows of a loader to check: all, up to 4,000, or up to 1,000 if a row has more than 64 KiB. Beyond that
// limit the rows are evenly spaced and include the first and the last.
std::vector<int64_t> rows_to_see(const Place& place);
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
