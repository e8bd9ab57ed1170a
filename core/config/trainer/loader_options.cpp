#include "core/config/trainer/loader_options.hpp"

#include "core/config/option_values.hpp"
#include "core/config/trainer/plan_values.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

template <class T>
LoaderOption loader_row(OptionSchema schema, T LoaderPlan::*member) {
  return {std::move(schema), [member](LoaderPlan& plan, const json& value) { assign(plan.*member, value); }};
}

std::vector<LoaderOption> loader_table() {
  using P = LoaderPlan;
  return {
      loader_row(int_option("batch_size", 32, 1, "rows in a training batch"), &P::batch_size),
      loader_row(nullable(int_option("eval_batch_size", nullptr, 1,
                                     "rows in a batch of validation, test and prediction; null: batch_size")),
                 &P::eval_batch_size),
      loader_row(bool_option("shuffle", true, "a new order of the training rows in every epoch"), &P::shuffle),
      loader_row(bool_option("drop_last", false, "leave out a last training batch that is not full"), &P::drop_last),
      loader_row(int_option("num_workers", 0, 0, "threads that prepare batches; 0: the training thread does it"),
                 &P::num_workers),
      loader_row(int_option("prefetch_factor", 2, 1, "batches that each worker prepares ahead"), &P::prefetch_factor),
      loader_row(bool_option("pin_memory", false, "batches in memory that a GPU copies from faster"), &P::pin_memory)};
}

}  // namespace

const std::vector<LoaderOption>& loader_options() {
  static const std::vector<LoaderOption> table = loader_table();
  return table;
}

LoaderPlan make_loader_plan(const json& loader) {
  LoaderPlan plan;
  for (const auto& option : loader_options()) option.set(plan, loader.value(option.schema.name, option.schema.deflt));
  if (plan.eval_batch_size == 0) plan.eval_batch_size = plan.batch_size;
  return plan;
}

}  // namespace levin::core
