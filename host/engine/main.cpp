// host-engine: the process that trains. The host has already checked the command line and set the environment.
#include <ATen/Parallel.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/abi/plugin_watch.hpp"
#include "core/abi/torch_warnings.hpp"
#include "core/base/emergency_output.hpp"
#include "core/base/error_line.hpp"
#include "core/base/json.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/config/run_config.hpp"
#include "core/kernels/blas_choice.hpp"
#include "core/progress/stop_request.hpp"
#include "core/services/networks.hpp"
#include "core/strategies/common/cuda.hpp"
#include "core/trainer/signals.hpp"
#include "core/trainer/trainer.hpp"
#include "host/engine/check/check_plugin.hpp"
#include "host/engine/crash/crash.hpp"
#include "host/engine/tasks.hpp"
#include "inference/network_file.hpp"
#include "lightning/lightning_source.hpp"

namespace {

using namespace levin::core;

std::string read_all(int fd) {
  std::string text;
  char buffer[65536];
  ssize_t n;
  while ((n = read(fd, buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<size_t>(n));
  close(fd);
  return text;
}

int32_t least_level(int verbosity) {
  if (verbosity <= verbosity_quiet) return LEVIN_LOG_WARNING;
  return verbosity >= verbosity_verbose ? LEVIN_LOG_DEBUG : LEVIN_LOG_INFO;
}

int train(const RunConfig& config, Console& console) {
  set_foreign_source(lightning_source);
  set_network_reader(open_network);
  try {
    Trainer trainer(config, console);
    guard_exit();  // so that it runs before the exit handlers of plugins
    return trainer.run();
  } catch (const Interrupt& interrupt) {
    return code_of_stop(interrupt.signal);
  } catch (const Error& e) {
    console.record(LEVIN_LOG_ERROR, "[" + text_of(e.code()) + "] " + e.what());
    throw;
  } catch (const std::exception& e) {
    console.record(LEVIN_LOG_ERROR, e.what());
    throw;
  }
}

int run_from(int fd) {
  multiply_under_limit();
  const RunConfig config =
      run_config_from_json(parse_json(read_all(fd), "the run's configuration"), "the run's configuration");
  Console console;
  console.show_from(least_level(config.verbosity));
  const TorchWarnings warnings([&console](const std::string& line) { console.warn(line); });
  if (!config.debug_plugins) return train(config, console);
  PluginWatch watch;
  const int code = train(config, console);
  // Components are destroyed at this point, so handles that they still hold are leaks.
  for (const std::string& leak : watch.leaks()) console.warn(leak);
  const std::string problem = watch.take_problem();
  if (!problem.empty()) throw Error(ErrorCode::plugin_misuses_memory, problem);
  return code;
}

// Signals are handled until the process ends.
int run_with_signals(int fd) {
  static const Signals signals;  // never destroyed, because end_process() runs no destructors
  return run_from(fd);
}

int run(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--run-config-fd") == 0) return run_with_signals(std::atoi(argv[2]));
  if (argc == 2 && std::strcmp(argv[1], "--doctor") == 0) return print_doctor();
  if (argc == 3 && std::strcmp(argv[1], "--doctor-json") == 0)
    return print_doctor_json(parse_json(argv[2], "what the host has found"));
  if (argc == 2 && std::strcmp(argv[1], "--count-gpus") == 0) return std::printf("%d\n", cuda_device_count()), 0;
  if (argc == 2 && std::strcmp(argv[1], "--try-product") == 0) return warm_up_blas(), 0;
  if (argc == 3 && std::strcmp(argv[1], "--check-fd") == 0)
    return check_plugin(parse_json(read_all(std::atoi(argv[2])), "what is to be checked"));
  if (argc == 3 && std::strcmp(argv[1], "--export-fd") == 0)
    return export_torchscript(parse_json(read_all(std::atoi(argv[2])), "what is to be exported"));
  std::fprintf(stderr, "host-engine is started by host; see host --help\n");
  return static_cast<int>(ErrorKind::usage);
}

}  // namespace

int main(int argc, char** argv) {
  // Only where the time of a trial matters least.
  choose_blas_kernels(argc > 1 &&
                      (std::strcmp(argv[1], "--run-config-fd") == 0 || std::strncmp(argv[1], "--doctor", 8) == 0));
  install_crash_handler();
  if (const char* threads = std::getenv("OMP_NUM_THREADS"))
    if (std::atoi(threads) > 0) at::set_num_threads(std::atoi(threads));
  int code;
  try {
    code = run(argc, argv);
  } catch (const std::exception& e) {
    code = report_error(e, "the engine");
  }
  std::fflush(stdout);
  std::fflush(stderr);
  end_process(code);  // runs no static destructors, because those of plugins might use destroyed parts of LibTorch
}
