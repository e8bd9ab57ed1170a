#include "task.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

namespace torchscript {
namespace {

constexpr const char* losses[] = {"cross_entropy", "nll", "mse", "l1", "smooth_l1", "huber", nullptr};

bool is_one_of(const char* const* names, const std::string& name) {
  for (; *names; ++names)
    if (name == *names) return true;
  return false;
}

void require_loss(const std::string& loss, const char* const* known, const char* target) {
  if (loss.empty() || is_one_of(known, loss)) return;
  std::string names;
  for (; *known; ++known) names += (names.empty() ? "" : ", ") + std::string(*known);
  throw levin::Error(LEVIN_E_INVALID, "--model.loss " + loss + ": the target of the data is " + target +
                                          ", for which there are: " + names);
}

// The options of a task besides those in `out`.
void add_missing(std::vector<levin_option>& out, std::pair<const levin_option*, uint32_t> table) {
  for (uint32_t i = 0; i < table.second; ++i) {
    const auto has_name = [&](const levin_option& o) { return std::strcmp(o.name, table.first[i].name) == 0; };
    if (std::none_of(out.begin(), out.end(), has_name)) out.push_back(table.first[i]);
  }
}

}  // namespace

Task::Task(const levin::Args& args) : task_(task_for(data(), args)) {
  for (const std::string& warning : module().warnings()) warn(warning);
}

std::variant<Task::Classification, Task::Regression> Task::task_for(const levin::DataInfo& data,
                                                                    const levin::Args& args) {
  const bool classes = data.target().classes > 0;
  require_loss(args.text("loss"), classes ? levin::detail::classification_losses : levin::detail::regression_losses,
               classes ? "a class" : "numbers");
  using Any = std::variant<Classification, Regression>;
  return classes ? Any(std::in_place_type<Classification>, args) : Any(std::in_place_type<Regression>, args);
}

levin::Outputs Task::validation_step(const levin::Batch& batch, int64_t batch_idx, int64_t dataloader_idx) {
  if (auto* classification = std::get_if<Classification>(&task_))
    return classification->validation_step(batch, batch_idx, dataloader_idx);
  return std::get<Regression>(task_).validation_step(batch, batch_idx, dataloader_idx);
}

levin::Outputs Task::test_step(const levin::Batch& batch, int64_t batch_idx, int64_t dataloader_idx) {
  if (auto* classification = std::get_if<Classification>(&task_))
    return classification->test_step(batch, batch_idx, dataloader_idx);
  return std::get<Regression>(task_).test_step(batch, batch_idx, dataloader_idx);
}

levin::Outputs Task::predict_step(const levin::Batch& batch) {
  if (auto* classification = std::get_if<Classification>(&task_)) return classification->predict_step(batch);
  return {std::get<Regression>(task_).predict_step(batch), {}};
}

std::pair<const levin_option*, uint32_t> Task::option_table() {
  static const std::vector<levin_option> all = [] {
    std::vector<levin_option> out(std::begin(Network::options), std::end(Network::options));
    add_missing(out, Classification::option_table());
    add_missing(out, Regression::option_table());
    const auto loss = std::find_if(out.begin(), out.end(), [](const auto& o) { return !std::strcmp(o.name, "loss"); });
    loss->choices = losses;
    loss->deflt = "null";
    loss->help = "loss function; null = cross_entropy for classes, mse for numbers";
    loss->flags |= LEVIN_OPT_NULLABLE;
    return out;
  }();
  return {all.data(), static_cast<uint32_t>(all.size())};
}

}  // namespace torchscript
