#include "core/components/data_module.hpp"

#include "core/base/error.hpp"

namespace levin::core {

DataModule::DataModule(ComponentOrigin origin, const levin_object* table, void* self)
    : Component(std::move(origin), table, self), table_(reinterpret_cast<const levin_data*>(table)) {
  if (!LEVIN_HAS(levin_data, table_, describe))
    throw Error(ErrorKind::plugin, plugin() + ": data module '" + schema().id + "' has no function 'describe'");
  if (!LEVIN_HAS(levin_data, table_, fill) && !LEVIN_HAS(levin_data, table_, batch) &&
      !LEVIN_HAS(levin_data, table_, next) && !LEVIN_HAS(levin_data, table_, resident))
    throw Error(ErrorKind::plugin, plugin() + ": data module '" + schema().id +
                                       "' hands no rows over: it needs one of fill, batch, next, resident");
}

void DataModule::prepare() const {
  if (LEVIN_HAS(levin_data, table_, prepare)) invoke("prepare_data", [&] { return table_->prepare(self()); });
}

void DataModule::setup(uint32_t stage) const {
  if (LEVIN_HAS(levin_data, table_, setup)) invoke("setup", [&] { return table_->setup(self(), stage); });
}

void DataModule::teardown(uint32_t stage) const {
  if (LEVIN_HAS(levin_data, table_, teardown)) invoke("teardown", [&] { return table_->teardown(self(), stage); });
}

uint32_t DataModule::loaders(uint32_t split) const {
  uint32_t n = 1;
  if (LEVIN_HAS(levin_data, table_, loaders)) invoke("loaders", [&] { return table_->loaders(self(), split, &n); });
  return n;
}

std::optional<SplitInfo> DataModule::describe(uint32_t split, uint32_t loader) const {
  levin_split raw{};
  raw.size = sizeof raw;
  bool exists = true;
  invoke("describe", [&]() -> levin_status {
    const levin_status status = table_->describe(self(), split, loader, &raw);
    exists = status != LEVIN_E_UNSUPPORTED;
    return exists ? status : LEVIN_OK;
  });
  if (!exists) return std::nullopt;
  SplitInfo info;
  info.rows = raw.rows;
  info.name = raw.name ? raw.name : "";
  for (uint32_t i = 0; i < raw.n_fields; ++i) {
    const levin_field& f = raw.fields[i];
    if (f.ndim < 0 || f.ndim > 6)
      throw Error(ErrorKind::plugin, plugin() + ": describe: field " + std::to_string(i) + " has " +
                                         std::to_string(f.ndim) + " dimensions; 0 to 6 are possible");
    FieldInfo field{f.name ? f.name : "", f.dtype, {f.shape, f.shape + f.ndim}, f.role, f.classes, {}};
    for (int64_t c = 0; f.class_names && c < f.classes; ++c) field.class_names.push_back(f.class_names[c]);
    info.fields.push_back(std::move(field));
  }
  if (info.fields.empty() && info.rows != 0)
    throw Error(ErrorKind::plugin, plugin() + ": describe: a row has no fields");
  return info;
}

std::string DataModule::combined_mode(uint32_t split) const {
  if (!LEVIN_HAS(levin_data, table_, combined_mode)) return "";
  const char* mode = nullptr;
  invoke("combined_mode", [&]() -> levin_status {
    mode = table_->combined_mode(self(), split);
    return LEVIN_OK;
  });
  return mode ? mode : "";
}

void DataModule::dataloader(levin_loader& wish) const {
  if (LEVIN_HAS(levin_data, table_, dataloader))
    invoke("dataloader", [&] { return table_->dataloader(self(), &wish); });
}

void DataModule::on(const levin_event& event) const {
  if (LEVIN_HAS(levin_data, table_, on)) invoke(hook_name(event.hook), [&] { return table_->on(self(), &event); });
}

DataInfo::DataInfo(const DataModule& data) {
  raw_.size = sizeof raw_;
  for (uint32_t split = 0; split < LEVIN_SPLITS; ++split) {
    for (uint32_t loader = 0; loader < data.loaders(split); ++loader) {
      auto info = data.describe(split, loader);
      if (!info) continue;
      if (raw_.rows[split] >= 0) raw_.rows[split] = info->rows < 0 ? -1 : raw_.rows[split] + info->rows;
      if (sample_.fields.empty()) sample_ = std::move(*info);
    }
  }
  for (const FieldInfo& f : sample_.fields) {
    class_names_.emplace_back();
    for (const std::string& name : f.class_names) class_names_.back().push_back(name.c_str());
    levin_field raw{};
    raw.name = f.name.c_str();
    raw.dtype = f.dtype;
    raw.ndim = static_cast<int32_t>(f.shape.size());
    for (size_t d = 0; d < f.shape.size(); ++d) raw.shape[d] = f.shape[d];
    raw.role = f.role;
    raw.classes = f.classes;
    raw.class_names = class_names_.back().empty() ? nullptr : class_names_.back().data();
    fields_.push_back(raw);
  }
  raw_.fields = fields_.data();
  raw_.n_fields = static_cast<uint32_t>(fields_.size());
}

}  // namespace levin::core
