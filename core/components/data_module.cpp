#include "core/components/data_module.hpp"

#include "core/base/error.hpp"

namespace levin::core {
namespace {

constexpr uint32_t most_loaders = 10000;

}  // namespace

DataModule::DataModule(ComponentOrigin origin, const levin_object* table, void* self)
    : Component(std::move(origin), table, self), table_(reinterpret_cast<const levin_data*>(table)) {
  if (!LEVIN_HAS(levin_data, table_, describe))
    throw Error(ErrorCode::plugin_lacks_function,
                plugin() + ": data module '" + schema().id + "' has no function 'describe'");
  if (!LEVIN_HAS(levin_data, table_, fill) && !LEVIN_HAS(levin_data, table_, batch) &&
      !LEVIN_HAS(levin_data, table_, next) && !LEVIN_HAS(levin_data, table_, resident))
    throw Error(
        ErrorCode::plugin_lacks_function,
        plugin() + ": data module '" + schema().id + "' provides no rows: it needs one of fill, batch, next, resident");
}

void DataModule::prepare() const {
  if (LEVIN_HAS(levin_data, table_, prepare)) invoke("prepare_data", [&] { return table_->prepare(self()); });
}

void DataModule::setup(uint32_t stage) const {
  for (uint32_t split = 0; split < LEVIN_SPLITS; ++split) forget_fields(split);
  if (LEVIN_HAS(levin_data, table_, setup)) invoke("setup", [&] { return table_->setup(self(), stage); });
}

void DataModule::teardown(uint32_t stage) const {
  if (LEVIN_HAS(levin_data, table_, teardown)) invoke("teardown", [&] { return table_->teardown(self(), stage); });
}

uint32_t DataModule::loaders(uint32_t split) const {
  uint32_t n = 1;
  if (LEVIN_HAS(levin_data, table_, loaders)) invoke("loaders", [&] { return table_->loaders(self(), split, &n); });
  if (n > most_loaders)
    throw Error(ErrorCode::plugin_answer_invalid, plugin() + ": " + instance() + ".loaders: a split has " +
                                                      std::to_string(n) + " loaders; at most " +
                                                      std::to_string(most_loaders) + " are possible");
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
  SplitInfo info = split_info_from(raw, plugin() + ": " + instance() + ".describe");
  const std::lock_guard<std::mutex> lock(described_mutex_);
  const auto [before, is_new] = described_.emplace(std::pair(split, loader), info.fields);
  const std::string changed = is_new ? "" : changed_field(before->second, info.fields);
  if (!changed.empty())
    throw Error(ErrorCode::plugin_answer_invalid,
                plugin() + ": " + instance() + ".describe: split " + split_name(split) +
                    " describes other fields than before: " + changed + "; compute what depends on the data in setup");
  return info;
}

void DataModule::forget_fields(uint32_t split) const {
  const std::lock_guard<std::mutex> lock(described_mutex_);
  described_.erase(described_.lower_bound({split, 0}), described_.lower_bound({split + 1, 0}));
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

std::vector<std::string> DataModule::row_names(uint32_t split, uint32_t loader, const std::vector<int64_t>& rows) {
  const auto* table = static_cast<const levin_row_names*>(extension(LEVIN_ROW_NAMES));
  if (!table || !LEVIN_HAS(levin_row_names, table, name)) return {};
  std::vector<std::string> names;
  for (const int64_t row : rows) {
    const char* name = nullptr;
    const auto turn = this->turn();
    invoke("row_name", [&] { return table->name(self(), split, loader, row, &name); });
    names.emplace_back(name ? name : "");
  }
  return names;
}

std::optional<std::vector<int64_t>> DataModule::row_lengths(uint32_t split, uint32_t loader, int64_t rows) const {
  const auto* table = static_cast<const levin_row_lengths*>(extension(LEVIN_ROW_LENGTHS));
  if (!table || !LEVIN_HAS(levin_row_lengths, table, lengths)) return std::nullopt;
  std::vector<int64_t> lengths(static_cast<size_t>(rows));
  const auto turn = this->turn();
  invoke("row_length", [&] { return table->lengths(self(), split, loader, rows, lengths.data()); });
  for (size_t row = 0; row < lengths.size(); ++row)
    if (lengths[row] < 0)
      throw Error(ErrorCode::plugin_answer_invalid, plugin() + ": " + instance() + ".row_length: row " +
                                                        std::to_string(row) + " of split " + split_name(split) +
                                                        " has the length " + std::to_string(lengths[row]) +
                                                        "; it has to be at least 0");
  return lengths;
}

std::optional<DataModule::ByteScale> DataModule::byte_scale(uint32_t field) const {
  const auto* table = static_cast<const levin_byte_fields*>(extension(LEVIN_BYTE_FIELDS));
  if (!table || !LEVIN_HAS(levin_byte_fields, table, scale)) return std::nullopt;
  levin_byte_scale raw{};
  raw.size = sizeof raw;
  bool has = true;
  invoke("byte_scale", [&]() -> levin_status {
    const levin_status status = table->scale(self(), field, &raw);
    has = status != LEVIN_E_UNSUPPORTED;
    return has ? status : LEVIN_OK;
  });
  if (!has || !raw.scale || !raw.shift) return std::nullopt;
  return ByteScale{{raw.scale, raw.scale + raw.channels}, {raw.shift, raw.shift + raw.channels}};
}

void DataModule::tell_run_dir(const std::string& path) {
  const auto* table = static_cast<const levin_run_dir*>(extension(LEVIN_RUN_DIR));
  if (table && LEVIN_HAS(levin_run_dir, table, run_dir))
    invoke("run_dir", [&] { return table->run_dir(self(), path.c_str()); });
}

std::vector<std::string> DataModule::class_names(uint32_t split) const {
  const auto info = loaders(split) > 0 ? describe(split, 0) : std::nullopt;
  if (!info) return {};
  for (const FieldInfo& field : info->fields)
    if (field.role == LEVIN_ROLE_TARGET) return field.class_names;
  return {};
}

std::unique_lock<std::recursive_mutex> DataModule::turn() const {
  if (concurrent()) return {};
  return std::unique_lock<std::recursive_mutex>(turn_);
}

DataInfo::DataInfo(const DataModule& data) {
  raw_.size = sizeof raw_;
  for (uint32_t split = 0; split < LEVIN_SPLITS; ++split) {
    for (uint32_t loader = 0; loader < data.loaders(split); ++loader) {
      auto info = data.describe(split, loader);
      if (!info) continue;
      if (raw_.rows[split] >= 0) raw_.rows[split] = info->rows < 0 ? -1 : raw_.rows[split] + info->rows;
      if (!fields_ && !info->fields.empty()) fields_.emplace(std::move(info->fields));
    }
  }
  if (fields_) fields_->show(raw_);
}

}  // namespace levin::core
