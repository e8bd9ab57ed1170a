// The signature of a library of tasks: one that is accepted has the same text.
#include "tasks/signing/signature.hpp"

#include <cstdlib>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

LEVIN_FUZZ_TARGET(signature) try {
  const std::string text = levin::fuzz::text_of(data, size);
  if (trim(tasks::read_signature(text).text()) != trim(text)) std::abort();
} catch (const Error&) {
}
