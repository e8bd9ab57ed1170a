// Calls SDK code. A thrown error becomes the outcome of the call under test.
#pragma once
#include "conformance/harness/compare.hpp"
#include "levin/error.hpp"

namespace conformance {

// f() returns its observations as JSON.
template <class F>
Outcome ask(F&& f) {
  Outcome out;
  try {
    out.seen = f();
  } catch (const levin::Error& e) {
    out.error = e.what();
  }
  return out;
}

}  // namespace conformance
