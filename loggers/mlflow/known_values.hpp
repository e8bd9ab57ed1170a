// The values that a server has from after a checkpoint, which the resumed run logs once more.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_set>

#include "names.hpp"

namespace levin::mlflow {

class KnownValues {
 public:
  void add(const std::string& lines);  // of the spool
  // Returns the values that the server does not have, and forgets the others.
  Values without_known(int64_t step, const Values& values);
  bool empty() const { return known_.empty(); }

 private:
  std::unordered_multiset<uint64_t> known_;  // hashes of step, name and value; a bounded number
};

}  // namespace levin::mlflow
