#include <ATen/ops/empty.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/distributed/process_group.hpp"
#include "core/run_folder/prediction_file.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// A batch without its tensors' values.
json about(const PredictedBatch& b) {
  json tensors = json::array();
  for (const NamedTensor& t : b.tensors)
    tensors.push_back(json::array({t.name, static_cast<int>(t.tensor.scalar_type()), t.tensor.sizes().vec()}));
  return json::array({b.loader, b.number, b.first_row, b.rows, b.sample_ids, b.names, tensors});
}

PredictedBatch batch_about(const json& given, int rank) {
  PredictedBatch b;
  b.rank = rank;
  b.loader = given.at(0).get<int64_t>();
  b.number = given.at(1).get<int64_t>();
  b.first_row = given.at(2).get<int64_t>();
  b.rows = given.at(3).get<int64_t>();
  b.sample_ids = given.at(4).get<std::vector<int64_t>>();
  b.names = given.at(5).get<std::vector<std::string>>();
  for (const json& t : given.at(6))
    b.tensors.push_back({t.at(0).get<std::string>(), at::empty(t.at(2).get<std::vector<int64_t>>(),
                                                               static_cast<at::ScalarType>(t.at(1).get<int>()))});
  return b;
}

void send(ProcessGroup& group, const at::Tensor& tensor) {
  if (tensor.numel() > 0) group.send(tensor, 0, 0)->wait();
}
void receive(ProcessGroup& group, const at::Tensor& tensor, int from) {
  if (tensor.numel() > 0) group.receive(tensor, from, 0)->wait();
}

at::Tensor bytes_of(const std::vector<uint8_t>& bytes) {
  const at::Tensor out = at::empty({static_cast<int64_t>(bytes.size())}, at::kByte);
  std::memcpy(out.data_ptr(), bytes.data(), bytes.size());
  return out;
}

void send_all(std::vector<PredictedBatch>& batches, ProcessGroup& group) {
  json all = json::array();
  for (const PredictedBatch& b : batches) all.push_back(about(b));
  const at::Tensor text = bytes_of(json::to_msgpack(all));
  send(group, at::empty({1}, at::kLong).fill_(text.numel()));
  send(group, text);
  for (PredictedBatch& b : batches)
    for (NamedTensor& t : b.tensors) send(group, std::exchange(t.tensor, {}).contiguous());
  batches.clear();
}

void receive_all(std::vector<PredictedBatch>& batches, ProcessGroup& group, int from) {
  const at::Tensor size = at::empty({1}, at::kLong);
  receive(group, size, from);
  const at::Tensor text = at::empty({*size.data_ptr<int64_t>()}, at::kByte);
  receive(group, text, from);
  const auto* begin = text.data_ptr<uint8_t>();
  for (const json& given : json::from_msgpack(begin, begin + text.numel())) {
    batches.push_back(batch_about(given, from));
    for (const NamedTensor& t : batches.back().tensors) receive(group, t.tensor, from);
  }
}

}  // namespace

void gather_predictions(PredictionFile& file, ProcessGroup& group, bool in_turns) {
  if (group.size() == 1) return;
  if (group.rank() != 0) return send_all(file.batches(), group);
  for (int rank = 1; rank < group.size(); ++rank) receive_all(file.batches(), group, rank);
  file.put_in_order(in_turns);
}

}  // namespace levin::core
