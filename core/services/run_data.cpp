// "levin.run_data/1": the data of the run, and rows of it by their index.
#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

DataParts& data_parts(levin_run* run) { return parts_of(run, &levin_run::data); }

uint32_t count_loaders(const DataParts& parts, uint32_t split) {
  uint32_t n = 0;
  if (split >= LEVIN_SPLITS) return n;
  for (uint32_t loader = 0; loader < parts.loaders.data().loaders(split); ++loader)
    if (parts.loaders.data().describe(split, loader)) n = loader + 1;
  return n;
}

levin_status no_loader(uint32_t split, uint32_t loader) {
  const std::string of = split < LEVIN_SPLITS ? split_name(split) : std::to_string(split);
  return failed_service("the data has no loader " + std::to_string(loader) + " of split " + of, LEVIN_E_NOT_FOUND);
}

// The fields are stored on the first call, because callers may keep the pointers.
levin_status describe_loader(DataParts& parts, uint32_t split, uint32_t loader, levin_split* out) {
  if (loader >= count_loaders(parts, split)) return no_loader(split, loader);
  std::optional<SplitInfo> info = parts.loaders.data().describe(split, loader);
  if (!info) return no_loader(split, loader);
  auto& known = parts.described[{split, loader}];
  if (!known) known = std::make_unique<DescribedLoader>(std::move(*info));
  out->rows = known->rows = info->rows;
  known->fields.show(*out);
  out->name = known->name.empty() ? nullptr : known->name.c_str();
  return LEVIN_OK;
}

levin_status rows_of(DataParts& parts, uint32_t split, uint32_t index, const std::vector<int64_t>& rows,
                     levin_tensor** out, uint32_t cap, uint32_t* n_out) {
  if (index >= count_loaders(parts, split)) return no_loader(split, index);
  Loader& loader = *parts.loaders.get(split).at(index);
  if (loader.is_stream())
    return failed_service(std::string("the rows of split ") + split_name(split) + " are a stream, and have no index",
                          LEVIN_E_UNSUPPORTED);
  if (rows.empty()) return failed_service("no row was requested", LEVIN_E_INVALID);
  const auto n = static_cast<uint32_t>(loader.field_names().size());
  if (cap < n)
    return failed_service("a row has " + std::to_string(n) + " fields, and there is room for " + std::to_string(cap),
                          LEVIN_E_INVALID);
  const at::NoGradGuard no_grad;
  Batch batch = loader.rows(rows, parts.progress.current_epoch());
  const Batch& moved = parts.batches.move(batch, index, loader.field_names());
  for (uint32_t i = 0; i < n; ++i) out[i] = release(moved.tensors[i]);
  *n_out = n;
  return LEVIN_OK;
}

levin_run_data make_data_table() {
  levin_run_data t{};
  t.size = sizeof t;
  t.loaders = [](levin_run* run, uint32_t split, uint32_t* n) {
    return serve([&] { *n = count_loaders(data_parts(run), split); });
  };
  t.describe = [](levin_run* run, uint32_t split, uint32_t loader, levin_split* out) {
    return serve([&] { return describe_loader(data_parts(run), split, loader, out); });
  };
  t.rows = [](levin_run* run, uint32_t split, uint32_t loader, const int64_t* indices, int64_t n, levin_tensor** out,
              uint32_t cap, uint32_t* n_out) {
    return serve([&] {
      const std::vector<int64_t> rows(indices, indices + (indices && n > 0 ? n : 0));
      return rows_of(data_parts(run), split, loader, rows, out, cap, n_out);
    });
  };
  return t;
}

}  // namespace

const levin_run_data* run_data_service() {
  static const levin_run_data table = make_data_table();
  return &table;
}

}  // namespace levin::core
