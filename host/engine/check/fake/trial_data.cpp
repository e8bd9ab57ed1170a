#include "host/engine/check/fake/trial_data.hpp"

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "host/engine/check/common/common_rules.hpp"
#include "host/engine/check/fake/fake_run.hpp"

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
  info_.field_size = sizeof(levin_field);
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

OwnRows::OwnRows(const Subject& model, const ComponentSchema& schema)
    : name_("rows of the data module '" + schema.id + "' of this plugin"),
      part_{schema.id, model.file, schema.id, options_of(schema, model.given)} {
  const Created created = model.plugins.create(part_, LEVIN_KIND_DATA, LEVIN_STAGE_FIT);
  data_ = make_component<DataModule>(created);
  data_->prepare();
  data_->setup(LEVIN_STAGE_FIT);
  const auto split = data_->describe(LEVIN_TRAIN, 0);
  if (!split || split->rows == 0) throw Error(ErrorCode::data_empty, "it has no rows for training");
  split_ = *split;
  info_ = std::make_unique<DataInfo>(*data_);
  rows_ = make_row_source({*data_, LEVIN_TRAIN, 0, split_});
  for (const FieldInfo& field : split_.fields) fields_.push_back(field.name.c_str());
}

Batch OwnRows::batch(int64_t rows) const {
  std::vector<int64_t> indices(static_cast<size_t>(split_.rows < 0 ? rows : std::min(rows, split_.rows)));
  std::iota(indices.begin(), indices.end(), int64_t{0});
  Fetch fetch;
  fetch.rows = static_cast<int64_t>(indices.size());
  if (rows_->is_stream())
    rows_->rewind(fetch);
  else
    fetch.indices = indices.data();
  BatchSlot slot(split_.fields, fetch.rows, false);
  if (!rows_->fetch(fetch, slot)) throw Error(ErrorCode::data_empty, "it gave no batch for training");
  Batch out;
  out.tensors = slot.batch().tensors;
  out.publish(fields_);
  return out;
}

}  // namespace levin::core
