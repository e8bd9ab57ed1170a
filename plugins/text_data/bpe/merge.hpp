// Byte-pair encoding of one piece: neighbouring symbols are merged, the pair that was learned first before the others.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace text {

class Merger {
 public:
  std::unordered_map<std::string, int32_t> ids;  // of all tokens
  std::string prefix, suffix;                    // of symbols that do not begin, that end a piece; "" = none
  std::optional<int32_t> unknown;                // the token of what has none
  bool fuse_unknown = false, byte_fallback = false, ignore_merges = false;

  // Adds the next pair, in the order in which they were learned. Returns false if one of the tokens does not exist.
  bool add(const std::string& left, const std::string& right);
  void encode(const std::string& piece, std::vector<int32_t>& out) const;

 private:
  struct Merge {
    int32_t rank, id;
  };
  std::vector<int32_t> symbols_of(const std::string& piece) const;
  void add_unknown(std::string_view character, std::vector<int32_t>& out) const;
  void merge(std::vector<int32_t>& symbols) const;
  static uint64_t key(int32_t left, int32_t right) {
    return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
  }
  std::unordered_map<uint64_t, Merge> merges_;
};

}  // namespace text
