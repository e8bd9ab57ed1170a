#include "host/engine/check/fake/own_rows.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "host/engine/check/common/common_rules.hpp"

namespace levin::core {

OwnRows::OwnRows(const Subject& model, const ComponentSchema& schema)
    : name_("rows of the data module '" + schema.id + "' of this plugin"),
      part_{schema.id, model.file, schema.id, options_of(schema, model.given)} {
  const Created created = model.plugins.create(part_, LEVIN_KIND_DATA, LEVIN_STAGE_FIT);
  data_ = std::make_unique<DataModule>(created.origin, created.table, created.self);
  data_->prepare();
  data_->setup(LEVIN_STAGE_FIT);
  const auto split = data_->describe(LEVIN_TRAIN, 0);
  if (!split || split->rows == 0) throw Error(ErrorKind::data, "it has no rows for training");
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
  if (!rows_->fetch(fetch, slot)) throw Error(ErrorKind::data, "it gave no batch for training");
  Batch out;
  out.tensors = slot.batch().tensors;
  out.publish(fields_);
  return out;
}

}  // namespace levin::core
