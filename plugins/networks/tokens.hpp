// What language models know of the data.
#pragma once
#include "levin/torch.hpp"

namespace networks {

struct Tokens {
  int64_t length, vocabulary;
};
// Returns the length of the token sequences and the number of different tokens. Throws Error, with the network's name,
// if rows are not sequences whose target is a token for each position.
inline Tokens tokens(const levin::DataInfo& data, const char* network) {
  const levin::Field &input = data.input(), &target = data.target();
  if (input.shape.size() == 1 && input.shape[0] > 0 && target.classes > 0 && target.shape == input.shape)
    return {input.shape[0], target.classes};
  throw levin::Error(
      LEVIN_E_INVALID,
      std::string(network) + " needs sequences of tokens, and as target the next token of each position; " + "field '" +
          input.name + "' of the data has the shape " + levin::shape_text(input.shape) + ", and '" + target.name +
          "' " + levin::shape_text(target.shape) + (target.classes > 0 ? "" : " without classes"));
}

}  // namespace networks
