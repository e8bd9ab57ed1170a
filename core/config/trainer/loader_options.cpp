#include "core/config/trainer/loader_options.hpp"

#include "core/config/option_values.hpp"
#include "core/config/trainer/plan_values.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

template <class T>
LoaderOption loader_row(OptionSchema schema, T LoaderDefaults::*member) {
  return {std::move(schema), [member](LoaderDefaults& to, const json& value) { assign(to.*member, value); }};
}

std::vector<LoaderOption> loader_table() {
  using Options = LoaderDefaults;
  return {loader_row(int_option("batch_size", 32, 1, "rows in a training batch"), &Options::batch_size),
          loader_row(nullable(int_option("global_batch_size", nullptr, 1,
                                         "rows in a training batch over all processes, instead of batch_size")),
                     &Options::global_batch_size),
          loader_row(nullable(int_option("eval_batch_size", nullptr, 1,
                                         "rows in a batch of validation, test and prediction; null = batch_size")),
                     &Options::eval_batch_size),
          loader_row(bool_option("shuffle", true, "shuffle the training rows in every epoch"), &Options::shuffle),
          loader_row(bool_option("drop_last", false, "drop the last training batch if it is incomplete"),
                     &Options::drop_last),
          loader_row(int_option("num_workers", 0, 0, "worker threads that prepare batches; 0 = the training thread"),
                     &Options::num_workers),
          loader_row(int_option("prefetch_factor", 2, 1, "batches that each worker prepares in advance"),
                     &Options::prefetch_factor),
          loader_row(bool_option("pin_memory", false, "put batches in pinned memory, for faster copies to a GPU"),
                     &Options::pin_memory)};
}

}  // namespace

const std::vector<LoaderOption>& loader_options() {
  static const std::vector<LoaderOption> table = loader_table();
  return table;
}

LoaderDefaults make_loader_defaults(const json& loader, const std::vector<std::string>& given) {
  LoaderDefaults defaults;
  defaults.given.insert(given.begin(), given.end());
  for (const auto& option : loader_options()) option.set(defaults, loader.at(option.schema.name));
  return defaults;
}

}  // namespace levin::core
