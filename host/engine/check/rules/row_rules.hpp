// Rules about every row of a data module, because a single one may be wrong.
#pragma once
#include <string>
#include <vector>

#include "core/data/source/row_source.hpp"
#include "host/engine/check/rules/data_calls.hpp"

namespace levin::core {

// The rows of a loader that are looked at: all of them, up to 4,000, or 1,000 of more than 64 KiB. Of more rows as many
// are taken, evenly spread, with the first and the last.
std::vector<int64_t> rows_to_see(const Place& place);
// How many that are: "train: 640 of 640 rows; val: 4000 of 60000 rows". "" if no loader has rows of a known number.
std::string seen_rows(const std::vector<Place>& places);

// What is wrong with the first of these rows that fill does not write twice alike, or "".
std::string written_twice(const DataModule& data, const Place& place);
// What is wrong with the first of these rows that cannot be had, has a number that is not finite, or a label that names
// no class, or "". The rows come by whatever function the host takes them by.
std::string sound_rows(const DataModule& data, const Place& place);
// The same of the batches of one epoch of a stream, up to as many rows.
std::string sound_stream(const Place& place, RowSource& source);

}  // namespace levin::core
