#include "blocks.hpp"

#include <algorithm>

namespace text {

std::vector<uint64_t> all_blocks(uint64_t n, int64_t block_size, const std::string& path) {
  const auto block = static_cast<uint64_t>(block_size);
  std::vector<uint64_t> out;
  for (uint64_t begin = 0; begin + block < n; begin += block) out.push_back(begin);
  if (out.empty())
    throw levin::Error(LEVIN_E_INVALID, "--data.block_size " + std::to_string(block_size) + ": " + path + " has " +
                                            std::to_string(n) +
                                            " tokens, too few for one row and the token behind it: give a smaller one");
  return out;
}

Blocks split_blocks(uint64_t n, const Options& options, const std::string& path) {
  const std::vector<uint64_t> segments = all_blocks(n, options.block_size, path);
  const common::SplitRows rows = options.splitting.split(static_cast<int64_t>(segments.size()));
  Blocks out;
  std::vector<bool> trains(segments.size() + 1, true);  // the last one: the rest of the text
  for (const uint32_t row : rows.val) out.val.push_back(segments[row]), trains[row] = false;
  for (const uint32_t row : rows.test) out.test.push_back(segments[row]), trains[row] = false;
  const auto block = static_cast<uint64_t>(options.block_size), stride = static_cast<uint64_t>(options.stride);
  for (uint64_t begin = 0; begin + block < n; begin += stride)
    if (trains[begin / block] && trains[(begin + block - 1) / block]) out.train.push_back(begin);
  if (out.train.empty())
    throw levin::Error(LEVIN_E_INVALID, "--data.block_size " + std::to_string(options.block_size) + ": " + path +
                                            " has no training row left beside the validation and test rows");
  return out;
}

}  // namespace text
