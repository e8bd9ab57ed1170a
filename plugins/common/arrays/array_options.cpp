#include "array_options.hpp"

#include <cmath>

namespace arrays {

Options::Options(const levin::Args& o)
    : train(o, ""),
      val(o, "val_"),
      test(o, "test_"),
      predict_inputs(o.text("predict_inputs")),
      group(o.text("group")),
      task(o.text("task")),
      damaged(o.text("damaged")),
      mean(o.is_null("mean") ? NAN : o.number("mean")),
      deviation(o.is_null("std") ? NAN : o.number("std")),
      splitting(o, group.empty() ? "" : "--data.group " + group) {
  splitting.take_own(val.option(), test.option());
  for (const Source* own : {&val, &test})
    if (!own->targets.empty() && own->inputs.empty())
      throw levin::Error(LEVIN_E_INVALID,
                         "--data." + own->prefix + "targets has no inputs: give --data." + own->prefix + "inputs too");
}

}  // namespace arrays
