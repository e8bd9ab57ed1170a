// The options of the webdataset data module.
#pragma once
#include <string>

#include "../common/pictures/picture_options.hpp"
#include "../common/split_options.hpp"

namespace webdataset {

inline constexpr const char* tasks[] = {"classification", "regression", nullptr};

inline constexpr levin_option own_options[] = {
    levin::required(levin::text("shards", nullptr,
                                "tar files of the training samples, separated by commas: files, folders, "
                                "train-{000..146}.tar, *.tar, http addresses")),
    levin::text("val_shards", "\"\"", "tar files of the validation samples, instead of a fraction of shards"),
    levin::text("test_shards", "\"\"", "tar files of the test samples"),
    levin::text("predict_shards", "\"\"", "tar files of the samples to predict; empty = the test samples, or all"),
    levin::path("cache", "\"\"", "folder for downloaded files; empty = ~/.cache/levin"),
    levin::integer("shuffle_buffer", "0",
                   "shuffle by a buffer of N samples, so that files are read nearly from begin to end; 0 = shuffle all "
                   "samples",
                   0, 1e9),
    levin::text("input", "\"auto\"",
                "ending of the members that are inputs; auto = the image or .npy member of the first sample"),
    levin::text("target", "\"cls\"", "ending of the members that are targets, or json:KEY = this key of .json members"),
    levin::text("group", "\"\"",
                "ending of the members, or json:KEY, whose equal texts keep samples in one split; empty = none"),
    levin::choice("task", "\"classification\"", "classification = targets are classes, numbers or texts", tasks),
    levin::images::transforms_option};
inline constexpr auto web_options =
    common::joined(own_options, common::joined(common::picture_options, common::split_options));

// Members whose text is used.
struct TextMember {
  // given: an ending, such as cls, or json:KEY. option: "--data.target", for the error about another form.
  TextMember(const std::string& given, const std::string& option);
  std::string ending, key;  // key: of JSON; "" = the whole member
};

struct Options {
  explicit Options(const levin::Args& o);

  std::string shards, val_shards, test_shards, predict_shards, cache;
  int64_t shuffle_buffer;
  TextMember target, group;  // group.ending: "" = there are no groups
  bool classify;
  std::string damaged;
  common::Splitting splitting;
};

}  // namespace webdataset
