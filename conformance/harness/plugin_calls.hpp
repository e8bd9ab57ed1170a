// What the SDK's code throws, as the failure of the call under test.
#pragma once
#include "conformance/compare.hpp"
#include "levin/error.hpp"

namespace conformance {

// f() returns the JSON of what was seen.
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
