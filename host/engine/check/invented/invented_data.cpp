#include "host/engine/check/invented/invented_data.hpp"

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>

namespace levin::core {

InventedData::InventedData(std::string name_, std::initializer_list<int64_t> shape, int64_t classes, int64_t tokens_,
                           Target target)
    : name(std::move(name_)), fields{}, info{}, tokens(tokens_) {
  fields[0].name = "x";
  fields[0].dtype = tokens > 0 ? levin_dtype{LEVIN_INT, 64, 1} : levin_dtype{LEVIN_FLOAT, 32, 1};
  fields[0].ndim = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), fields[0].shape);
  fields[1].name = "y";
  fields[1].role = LEVIN_ROLE_TARGET;
  fields[1].dtype = classes > 0 ? levin_dtype{LEVIN_INT, 64, 1} : levin_dtype{LEVIN_FLOAT, 32, 1};
  fields[1].classes = classes;
  fields[1].ndim = target == Target::token ? fields[0].ndim : 0;
  std::copy(shape.begin(), shape.begin() + fields[1].ndim, fields[1].shape);
  info.size = sizeof info;
  info.n_fields = 2;
  info.fields = fields;
  for (int64_t& rows : info.rows) rows = 64;
}

nlohmann::json InventedData::options() const {
  const std::vector<int64_t> shape(fields[0].shape, fields[0].shape + fields[0].ndim);
  return {{"shape", shape}, {"classes", fields[1].classes}, {"tokens", tokens}, {"each", fields[1].ndim > 0}};
}

Batch InventedData::batch(int64_t rows) const {
  Batch out;
  for (const levin_field& f : fields) {
    std::vector<int64_t> shape = {rows};
    shape.insert(shape.end(), f.shape, f.shape + f.ndim);
    const int64_t below = &f == fields ? tokens : f.classes;
    out.tensors.push_back(below > 0 ? at::randint(below, shape, at::kLong) : at::randn(shape));
  }
  static const std::vector<const char*> names = {"x", "y"};
  out.publish(names);
  return out;
}

}  // namespace levin::core
