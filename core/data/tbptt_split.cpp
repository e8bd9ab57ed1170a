#include "core/data/tbptt_split.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"

namespace levin::core {

std::vector<std::vector<at::Tensor>> tbptt_split(const std::vector<at::Tensor>& batch, int64_t size) {
  const std::string instead = "; override tbptt_split_batch to split this batch yourself";
  if (size < 1) throw Error(ErrorCode::option_value_invalid, "trainer.truncated_bptt_steps has to be at least 1");
  int64_t length = -1;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].dim() < 2)
      throw Error(ErrorCode::option_unsupported, "truncated_bptt_steps: tensor " + std::to_string(i) +
                                                     " of the batch has no second dimension to split along" + instead);
    if (length >= 0 && batch[i].size(1) != length)
      throw Error(ErrorCode::option_unsupported, "truncated_bptt_steps: the tensors of the batch have " +
                                                     std::to_string(length) + " and " +
                                                     std::to_string(batch[i].size(1)) + " time steps" + instead);
    length = batch[i].size(1);
  }
  if (length < 0) throw Error(ErrorCode::option_unsupported, "truncated_bptt_steps: the batch is empty" + instead);
  std::vector<std::vector<at::Tensor>> splits;
  for (int64_t t = 0; t < length; t += size) {
    splits.emplace_back();
    for (const at::Tensor& x : batch) splits.back().push_back(x.narrow(1, t, std::min(size, length - t)));
  }
  return splits;
}

}  // namespace levin::core
