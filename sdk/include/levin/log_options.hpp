// Options of a logged metric.
#pragma once
#include "levin/abi.h"

#pragma GCC visibility push(hidden)
namespace levin {

// Arguments of log, as in Lightning. Combine them with |: log("val_loss", loss, levin::on_epoch | levin::prog_bar).
struct LogOptions {
  int8_t on_step = LEVIN_LOG_DEFAULT, on_epoch = LEVIN_LOG_DEFAULT;  // -1 = default of the hook
  int8_t prog_bar = 0, logger = 1, sync_dist = 0, add_dataloader_idx = 1, rank_zero_only = 0;
  const char* reduce_fx = nullptr;  // "mean", "sum", "min", "max"
  int64_t batch_size = -1;          // weight in the epoch's mean; -1 = rows of the batch
  // With sync_dist: the ranks over which the value is reduced (levin::Group in levin/dist.hpp); nullptr = all.
  levin_group* sync_dist_group = nullptr;
};
constexpr LogOptions operator|(LogOptions a, const LogOptions& b) {
  if (b.on_step != LEVIN_LOG_DEFAULT) a.on_step = b.on_step;
  if (b.on_epoch != LEVIN_LOG_DEFAULT) a.on_epoch = b.on_epoch;
  if (b.prog_bar) a.prog_bar = 1;
  if (!b.logger) a.logger = 0;
  if (b.sync_dist) a.sync_dist = 1;
  if (!b.add_dataloader_idx) a.add_dataloader_idx = 0;
  if (b.rank_zero_only) a.rank_zero_only = 1;
  if (b.reduce_fx) a.reduce_fx = b.reduce_fx;
  if (b.batch_size >= 0) a.batch_size = b.batch_size;
  if (b.sync_dist_group) a.sync_dist_group = b.sync_dist_group;
  return a;
}
namespace detail {
constexpr LogOptions log_flag(int8_t LogOptions::*member, int8_t value) {
  LogOptions options;
  options.*member = value;
  return options;
}
}  // namespace detail
inline constexpr LogOptions on_step = detail::log_flag(&LogOptions::on_step, 1);
inline constexpr LogOptions not_on_step = detail::log_flag(&LogOptions::on_step, 0);
inline constexpr LogOptions on_epoch = detail::log_flag(&LogOptions::on_epoch, 1);
inline constexpr LogOptions sync_dist = detail::log_flag(&LogOptions::sync_dist, 1);  // over all processes
inline constexpr LogOptions not_on_epoch = detail::log_flag(&LogOptions::on_epoch, 0);
inline constexpr LogOptions prog_bar = detail::log_flag(&LogOptions::prog_bar, 1);
inline constexpr LogOptions no_logger = detail::log_flag(&LogOptions::logger, 0);
// Reduces the value over these ranks, with the mean or reduce_fx.
constexpr LogOptions sync_dist_group(levin_group* group) {
  LogOptions options = detail::log_flag(&LogOptions::sync_dist, 1);
  options.sync_dist_group = group;
  return options;
}

namespace detail {
inline levin_log log_arguments(const char* name, const LogOptions& options) {
  levin_log log{};
  log.size = sizeof log;
  log.on_step = options.on_step;
  log.on_epoch = options.on_epoch;
  log.prog_bar = options.prog_bar;
  log.logger = options.logger;
  log.sync_dist = options.sync_dist;
  log.add_dataloader_idx = options.add_dataloader_idx;
  log.rank_zero_only = options.rank_zero_only;
  log.name = name;
  log.reduce_fx = options.reduce_fx;
  log.batch_size = options.batch_size;
  log.sync_dist_group = options.sync_dist_group;
  return log;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
