// The class or the group of each row, by which rows are split.
#pragma once
#include "options.hpp"
#include "targets.hpp"

namespace npy {

// Returns for these rows the classes if the options stratify, the groups if there are some, or no keys. Throws
// levin::Error if the targets are no classes, or the groups do not belong to these rows.
common::RowKeys row_keys(const Options& options, const Array& targets, const TargetForm& form,
                         const std::vector<uint32_t>& rows);

}  // namespace npy
