#include "core/strategies/common/same_model.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <functional>
#include <map>
#include <sstream>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

std::vector<std::string> lines_of(const Model& model) {
  std::vector<std::string> lines;
  const auto add = [&](const char* kind, const NamedTensor& t) {
    std::ostringstream line;
    line << kind << " '" << t.name << "' " << t.tensor.sizes() << " " << t.tensor.scalar_type()
         << (t.tensor.requires_grad() ? "" : ", frozen");
    lines.push_back(line.str());
  };
  for (const NamedTensor& t : model.parameters()) add("the parameter", t);
  for (const NamedTensor& t : model.buffers()) add("the buffer", t);
  return lines;
}

std::string first_difference(const std::vector<std::string>& first, const std::vector<std::string>& other) {
  for (size_t i = 0; i < first.size() || i < other.size(); ++i) {
    const std::string a = i < first.size() ? first[i] : "nothing", b = i < other.size() ? other[i] : "nothing";
    if (a != b) return b + ", where rank 0 has " + a;
  }
  return "";
}

}  // namespace

void check_same_model(const Model& model, ProcessGroup& group) {
  const std::vector<std::string> all = group.all_gather_bytes(join(lines_of(model), "\n"));
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(ErrorKind::usage, "the processes do not have the same model: rank " + std::to_string(rank) + " has " +
                                        first_difference(split(all[0], '\n'), split(all[rank], '\n')) +
                                        ". The same plugin has to make the same model from the same options and data "
                                        "in every process");
}

void broadcast_tensors(const std::vector<NamedTensor>& tensors, ProcessGroup& group, int root) {
  if (group.size() == 1) return;
  const at::NoGradGuard no_grad;
  std::map<
      std::pair<at::ScalarType, at::Device>, std::vector<at::Tensor>,
      std::function<bool(const std::pair<at::ScalarType, at::Device>&, const std::pair<at::ScalarType, at::Device>&)>>
      kinds([](const auto& a, const auto& b) {
        return std::make_pair(static_cast<int>(a.first), a.second.str()) <
               std::make_pair(static_cast<int>(b.first), b.second.str());
      });
  for (const NamedTensor& t : tensors)
    if (t.tensor.numel() > 0) kinds[{t.tensor.scalar_type(), t.tensor.device()}].push_back(t.tensor.detach());
  for (auto& [kind, parts] : kinds) {
    std::vector<at::Tensor> flat;
    for (const at::Tensor& part : parts) flat.push_back(part.reshape({-1}));
    const at::Tensor all = at::cat(flat);
    group.broadcast(all, root);
    int64_t at = 0;
    for (at::Tensor& part : parts) {
      part.copy_(all.narrow(0, at, part.numel()).view(part.sizes()));
      at += part.numel();
    }
  }
}

}  // namespace levin::core
