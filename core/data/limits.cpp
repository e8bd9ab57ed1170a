#include "core/data/limits.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {

int64_t limit_batches(std::optional<int64_t> length, const Limit& limit, const std::string& option) {
  if (!limit.fraction) {
    const auto wanted = static_cast<int64_t>(std::min(limit.value, 9e18));
    return length ? std::min(wanted, *length) : wanted;
  }
  if (!length) {
    if (limit.value == 1.0) return unlimited;
    throw Error(ErrorCode::batches_do_not_fit,
                "trainer." + option + "=" + show(limit.value) +
                    ": the length of the data is unknown, so a fraction of it is too; give a number of batches");
  }
  const auto batches = static_cast<int64_t>(static_cast<double>(*length) * limit.value);
  if (batches == 0 && *length > 0 && !limit.off())
    throw Error(ErrorCode::batches_do_not_fit,
                "trainer." + option + "=" + show(limit.value) + " of " + std::to_string(*length) +
                    " batches is less than one batch; give at least " + show(1.0 / static_cast<double>(*length)) +
                    " or a number of batches");
  return batches;
}

int64_t sanity_batches(int64_t num_sanity_val_steps, int64_t val_batches) {
  if (num_sanity_val_steps < 0) return val_batches;
  return val_batches == unlimited ? num_sanity_val_steps : std::min(num_sanity_val_steps, val_batches);
}

}  // namespace levin::core
