// Blocks of a long text, as rows of a language model.
#pragma once
#include <cstdint>
#include <vector>

#include "options.hpp"

namespace text {

struct Blocks {
  std::vector<uint64_t> train, val, test;  // the first token of each row
};

// Cuts n tokens into segments of block_size tokens, of which some are chosen for validation and test. A training row
// begins every `stride` tokens, unless it touches one of these. Throws levin::Error if the text is too short.
Blocks split_blocks(uint64_t n, const Options& options, const std::string& path);

// Returns the first tokens of all segments. Throws levin::Error if there is none.
std::vector<uint64_t> all_blocks(uint64_t n, int64_t block_size, const std::string& path);

}  // namespace text
