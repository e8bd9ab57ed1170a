// The number of the error that a call throws.
#pragma once
#include <string>

#include "core/base/error.hpp"

// Returns "E0204" of the Error that the call throws, "" if it throws none.
template <class Call>
std::string code_of(Call&& call) {
  try {
    call();
  } catch (const levin::core::Error& e) {
    return levin::core::text_of(e.code());
  }
  return "";
}
