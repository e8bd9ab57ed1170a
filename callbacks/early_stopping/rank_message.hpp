// A message that names its rank.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace levin::early_stopping {

// Returns the line to print, which names the rank if there are several. Returns nullopt if this rank prints nothing.
inline std::optional<std::string> rank_message(const std::string& text, uint32_t rank, uint32_t world_size,
                                               bool rank_zero_only) {
  if (world_size <= 1) return text;
  if (rank_zero_only && rank != 0) return std::nullopt;
  return "[rank: " + std::to_string(rank) + "] " + text;
}

}  // namespace levin::early_stopping
