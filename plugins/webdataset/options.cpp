#include "options.hpp"

namespace webdataset {

Options::Options(const levin::Args& o)
    : shards(o.text("shards")),
      val_shards(o.text("val_shards")),
      test_shards(o.text("test_shards")),
      predict_shards(o.text("predict_shards")),
      cache(o.text("cache")),
      shuffle_buffer(o.integer("shuffle_buffer")),
      input(o.text("input")),
      target(o.text("target")),
      classify(o.text("task") == "classification"),
      damaged(o.text("damaged")),
      splitting(o) {
  splitting.take_own(val_shards.empty() ? "" : "--data.val_shards " + val_shards,
                     test_shards.empty() ? "" : "--data.test_shards " + test_shards);
  const size_t colon = target.find(':');
  if (colon != target.npos) {
    key = target.substr(colon + 1);
    target.resize(colon);
    const bool is_json = target == "json" || (target.size() > 5 && target.compare(target.size() - 5, 5, ".json") == 0);
    if (!is_json || key.empty())
      throw levin::Error(LEVIN_E_INVALID,
                         "--data.target " + o.text("target") + ": give an ending, such as cls, or json:KEY");
  }
  if (!classify && splitting.stratifies())
    throw levin::Error(LEVIN_E_INVALID,
                       "--data.stratify needs classes: leave it out, or give --data.task classification");
}

}  // namespace webdataset
