// Networks of token sequences: language models, which predict the next token of each position, and networks of whole
// texts, whose scores are those of the last token.
#pragma once
#include <cstdint>

#include "levin/torch.hpp"

namespace networks {

struct Tokens {
  int64_t length;      // of all rows; -1 = it differs from batch to batch
  int64_t vocabulary;  // number of different tokens
  int64_t outputs;     // scores of a whole text; 0 = language model
  bool is_language_model() const { return outputs == 0; }
};
// Returns what the data has. Throws Error, with the network's name, if rows are not sequences of tokens, or the target
// is neither a token for each position nor one value or class for the whole row.
Tokens tokens_of(const levin::DataInfo& data, const char* network);

// Returns of x [B, length, width] what stands at the last position that counts: [B, width]. mask: [B, length];
// undefined = all positions count.
torch::Tensor last_position(const torch::Tensor& x, const torch::Tensor& mask);

}  // namespace networks
