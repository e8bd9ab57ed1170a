#include "options.hpp"

namespace webdataset {

TextMember::TextMember(const std::string& given, const std::string& option) {
  const size_t colon = given.find(':');
  if (colon != given.npos) key = given.substr(colon + 1);
  ending = given.substr(0, colon);
  const bool is_json = ending == "json" || (ending.size() > 5 && ending.compare(ending.size() - 5, 5, ".json") == 0);
  if (is_json == key.empty() || (colon != given.npos && key.empty()))
    throw levin::Error(LEVIN_E_INVALID, option + " " + given + ": give an ending, such as cls, or json:KEY");
}

Options::Options(const levin::Args& o)
    : shards(o.text("shards")),
      val_shards(o.text("val_shards")),
      test_shards(o.text("test_shards")),
      predict_shards(o.text("predict_shards")),
      cache(o.text("cache")),
      shuffle_buffer(o.integer("shuffle_buffer")),
      target(o.text("target"), "--data.target"),
      group(o.text("group"), "--data.group"),
      classify(o.text("task") == "classification"),
      damaged(o.text("damaged")),
      splitting(o, group.ending.empty() ? "" : "--data.group " + o.text("group")) {
  splitting.take_own(val_shards.empty() ? "" : "--data.val_shards " + val_shards,
                     test_shards.empty() ? "" : "--data.test_shards " + test_shards);
  if (!classify && splitting.stratifies())
    throw levin::Error(LEVIN_E_INVALID,
                       "--data.stratify needs classes: leave it out, or give --data.task classification");
}

}  // namespace webdataset
