// The class or the group of each row, by which rows are split.
#pragma once
#include "array_options.hpp"
#include "targets.hpp"

namespace arrays {

// format: of the file of groups. Returns for these rows the classes if the options stratify, the groups if there are
// some, or no keys. Throws levin::Error if the targets are no classes, or the groups do not belong to these rows.
common::RowKeys row_keys(const Options& options, const Format& format, const Array& targets, const TargetForm& form,
                         const std::vector<uint32_t>& rows);

}  // namespace arrays
