#include "core/config/trainer/host_options.hpp"

#include "core/config/option.hpp"
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
          loader_row(bool_option("bucket_by_length", false, "make training batches of rows of similar length"),
                     &Options::bucket_by_length),
          loader_row(nullable(int_option("num_workers", nullptr, 0,
                                         "worker threads that prepare batches; 0 = the training thread; null = by the "
                                         "time that the first batches take")),
                     &Options::num_workers),
          loader_row(int_option("prefetch_factor", 2, 1, "batches that each worker prepares in advance"),
                     &Options::prefetch_factor),
          loader_row(nullable(bool_option("pin_memory", false,
                                          "put batches in pinned memory, for copies while the GPU computes; null = if "
                                          "there is a GPU")),
                     &Options::pin_memory)};
}

std::vector<OptionSchema> weight_table() {
  OptionSchema from = json_option("init_from", nullptr,
                                  "initial weights of a fit: a file of PyTorch (.pt, .pth), Lightning (.ckpt), "
                                  "safetensors or a checkpoint; ignored on resume");
  from.type = LEVIN_T_PATH;
  OptionSchema match =
      choice_option("init_match", {"strict", "fitting"},
                    "strict = names and shapes must equal the model's; fitting = load the tensors that match");
  return {nullable(std::move(from)), std::move(match),
          json_option("init_map", nlohmann::json::object(),
                      "prefixes of the file's names to replace: {\"module.\": \"\", \"head.\": null}; null = leave "
                      "these tensors out")};
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

const std::vector<OptionSchema>& weight_options() {
  static const std::vector<OptionSchema> table = weight_table();
  return table;
}

InitWeights init_weights_from(const json& values) {
  InitWeights out;
  const auto value = [&values](const char* name) {
    return values.is_object() ? values.value(name, nlohmann::json()) : nlohmann::json();
  };
  if (const auto from = value("init_from"); from.is_string()) out.from = from.get<std::string>();
  out.strict = value("init_match") != "fitting";
  if (const auto map = value("init_map"); map.is_object()) out.map = map;
  return out;
}

}  // namespace levin::core
