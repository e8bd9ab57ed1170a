// Lightning's names of the reasons of early stopping.
#pragma once
#include <cstdint>

namespace conformance {

// In the order of levin::early_stopping::StoppingReason.
inline const char* stopping_reason_name(int32_t reason) {
  constexpr const char* names[] = {"NOT_STOPPED", "STOPPING_THRESHOLD", "DIVERGENCE_THRESHOLD", "PATIENCE_EXHAUSTED",
                                   "NON_FINITE_METRIC"};
  return names[reason];
}

}  // namespace conformance
