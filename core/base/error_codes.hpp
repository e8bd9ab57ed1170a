// The numbers of errors, as users see them: E0204. A number names a kind of situation that a user can be in. The digits
// before the last two are the exit code. host/explain says what each number means and how to mend it. A number is never
// used again for another situation.
#pragma once
#include <optional>
#include <string>

namespace levin::core {

enum class ErrorCode : int {
  // a plugin or the loop failed, or a file could not be written
  model_failed = 101,
  data_module_failed = 102,
  callback_failed = 103,
  logger_failed = 104,
  optimizer_failed = 105,
  task_failed = 106,
  plugin_ended_process = 107,
  out_of_memory = 108,
  service_misused = 109,
  disk_full = 110,
  file_not_written = 111,
  output_not_written = 112,
  operation_failed = 113,
  loss_invalid = 114,
  backward_failed = 115,
  replicas_differ = 116,
  metric_not_logged = 117,
  teardown_failed = 118,
  export_failed = 119,
  memory_limit_too_low = 120,
  machine_unreachable = 121,
  cluster_refused = 122,
  job_in_use = 123,
  trials_failed = 124,
  tasks_failed = 125,
  server_unreachable = 126,
  server_refused = 127,
  server_not_started = 128,
  tool_failed = 129,
  rights_not_dropped = 130,

  // a mistake in the command, an option or a configuration file
  command_unknown = 201,
  argument_unexpected = 202,
  argument_missing = 203,
  option_unknown = 204,
  option_value_invalid = 205,
  option_missing = 206,
  options_conflict = 207,
  option_unsupported = 208,
  option_renamed = 209,
  file_not_read = 210,
  file_syntax = 211,
  file_content_invalid = 212,
  folder_not_found = 213,
  run_folder_in_use = 214,
  output_exists = 215,
  component_unknown = 216,
  name_ambiguous = 217,
  model_not_named = 218,
  data_not_named = 219,
  text_not_utf8 = 220,
  plugin_refused_options = 221,
  run_not_resumable = 222,
  rendezvous_refused = 223,
  environment_invalid = 224,
  port_unusable = 225,
  ranks_differ = 226,
  device_not_available = 227,
  transport_not_available = 228,
  step_missing = 229,
  optimizer_misconfigured = 230,
  scheduler_misconfigured = 231,
  gradient_missing = 232,
  batches_do_not_fit = 233,
  threads_refused = 234,
  checkpoint_past_end = 235,
  program_missing = 236,
  search_space_invalid = 237,
  run_file_unsafe = 238,
  job_state_wrong = 239,
  host_list_invalid = 240,
  name_map_invalid = 241,
  capture_not_possible = 242,
  split_missing = 243,
  not_a_run_folder = 244,
  name_invalid = 245,
  call_invalid = 246,

  // a plugin cannot be used
  plugin_not_found = 301,
  plugin_file_unsafe = 302,
  plugin_file_invalid = 303,
  plugin_abi_differs = 304,
  plugin_torch_differs = 305,
  plugin_libraries_refused = 306,
  plugin_does_not_load = 307,
  plugin_table_invalid = 308,
  plugin_description_invalid = 309,
  plugin_description_differs = 310,
  plugin_lacks_function = 311,
  plugin_answer_invalid = 312,
  plugin_misuses_memory = 313,
  component_not_in_plugin = 314,
  plugin_ambiguous = 315,
  plugin_changed = 316,
  plugin_not_installed = 317,
  library_not_allowed = 318,

  // data is missing or broken
  data_not_found = 401,
  data_damaged = 402,
  data_empty = 403,
  element_type_unsupported = 404,
  label_out_of_range = 405,
  record_damaged = 406,
  // 407 is retired.

  // a checkpoint is missing, damaged or does not fit
  checkpoint_not_found = 501,
  checkpoint_damaged = 502,
  checkpoint_does_not_fit = 503,
  checkpoint_incomplete = 504,
  checkpoint_format_unsupported = 505,
  checkpoint_state_refused = 506,
  checkpoint_not_writable = 507,
  no_intact_checkpoint = 508,
  weights_do_not_match = 509,
  lightning_checkpoint_unsupported = 510,

  // a loss, a gradient or a weight is NaN or infinite
  loss_not_finite = 601,
  parameter_not_finite = 602,
  roll_back_failed = 603,
  checkpoint_not_finite = 604,

  // another rank is lost, silent or missing, or the ranks are in a deadlock
  rank_lost = 701,
  rank_missing = 702,
  collective_failed = 703,
  deadlock = 704,
  // 705 is retired.
  rendezvous_unreachable = 706,
  rank_ended = 707,

  // a crash, or a defect of the host or its installation
  internal_error = 7001,
  crash = 7002,
  installation_incomplete = 7003,
  system_call_failed = 7004,
  version_differs = 7005,

  // stopped by a signal
  interrupted = 7501,
};

// Returns "E0204".
std::string text_of(ErrorCode code);

// Reads "E0204" with any letters' case, or 204; nullopt if it is no number of this form.
std::optional<int> number_of_code(const std::string& text);

}  // namespace levin::core
