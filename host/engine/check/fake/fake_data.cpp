#include "host/engine/check/fake/fake_data.hpp"

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>

#include "host/engine/check/fake/fake_parts.hpp"

namespace levin::core {
namespace {

levin_field field(const char* name, uint32_t role, const std::vector<int64_t>& shape, bool integers) {
  levin_field out{};
  out.name = name;
  out.role = role;
  out.dtype = integers ? levin_dtype{LEVIN_INT, 64, 1} : levin_dtype{LEVIN_FLOAT, 32, 1};
  out.ndim = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), out.shape);
  return out;
}

}  // namespace

FakeData::FakeData(Form form)
    : form_(std::move(form)),
      fields_{field("x", LEVIN_ROLE_INPUT, form_.shape, form_.tokens > 0),
              field("y", LEVIN_ROLE_TARGET, form_.target_shape, form_.classes > 0)},
      info_{} {
  fields_[1].classes = form_.classes;
  info_.size = sizeof info_;
  info_.n_fields = 2;
  info_.fields = fields_;
  for (int64_t& rows : info_.rows) rows = 64;
}

ComponentConfig FakeData::part(PluginSet& plugins) const {
  return fake_part(plugins, LEVIN_KIND_DATA, "any_rows",
                   {{"shape", form_.shape},
                    {"target_shape", form_.target_shape},
                    {"classes", form_.classes},
                    {"tokens", form_.tokens}});
}

Batch FakeData::batch(int64_t rows) const {
  Batch out;
  for (const levin_field& f : fields_) {
    std::vector<int64_t> shape = {rows};
    shape.insert(shape.end(), f.shape, f.shape + f.ndim);
    const int64_t below = &f == fields_ ? form_.tokens : f.classes;
    out.tensors.push_back(below > 0 ? at::randint(below, shape, at::kLong) : at::randn(shape));
  }
  static const std::vector<const char*> names = {"x", "y"};
  out.publish(names);
  return out;
}

}  // namespace levin::core
