// The samples of tar shards: consecutive members with the same name up to the first dot of the file name.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../common/damaged_rows.hpp"
#include "options.hpp"
#include "tar_file.hpp"

namespace webdataset {

using common::Damage;

struct Sample {
  uint32_t shard = 0;
  std::string key;
  uint64_t begin = 0, size = 0;  // of the input
  std::string target, group;     // as texts; "" = none
};

// The samples of some shards.
class SampleSet {
 public:
  std::vector<std::string> shards;
  std::vector<uint64_t> states;  // of the shards as they were read
  std::vector<Sample> samples;

  // Returns the bytes of the sample's input. Throws levin::Error if the shard was changed. Thread-safe.
  std::vector<uint8_t> input(const Sample& sample) const;
  // "train-000.tar:images/17", for messages and predictions
  std::string place(const Sample& sample) const { return shards[sample.shard] + ":" + sample.key; }
};

// Reads the headers of the shards, and the targets. input: the ending of inputs; "auto" is replaced by the one that is
// found.
struct Needs {
  bool target, group;  // samples without one are damaged
};
SampleSet read_samples(const std::vector<std::string>& shards, const Options& options, std::string& input, Needs needs,
                       Damage& damage);

// Returns the key and the field of a member: "a/17.seg.png" gives "a/17" and "seg.png". Returns false for a name
// without a dot.
bool cut_name(const std::string& name, std::string& key, std::string& field);

}  // namespace webdataset
