// A callback that lets callgrind count the instructions of some steps in the middle of an epoch.
#include <valgrind/callgrind.h>

#include <levin/levin.hpp>

namespace {

struct Counted : levin::Callback {
  static constexpr levin_option options[] = {levin::integer("from", "100", "batch after which it counts", 0, 1e6),
                                             levin::integer("steps", "100", "steps that it counts", 1, 1e6)};
  const int64_t first, last;
  explicit Counted(const levin::Args& o) : first(o.integer("from")), last(first + o.integer("steps")) {}

  levin::Status on_train_batch_end(const levin::Event& event) {
    if (event.batch_idx() == first) CALLGRIND_START_INSTRUMENTATION;
    if (event.batch_idx() != last) return LEVIN_OK;
    CALLGRIND_STOP_INSTRUMENTATION;
    return LEVIN_STOP;
  }
};

}  // namespace

LEVIN_PLUGIN("test.counted", "1.0.0", "MIT", levin::callback<Counted>("counted", "Steps that callgrind counts"))
