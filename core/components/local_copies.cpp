#include "core/components/local_copies.hpp"

#include <dlfcn.h>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/components/download_library.hpp"
#include "core/config/option.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/progress/stop_request.hpp"

namespace levin::core {
namespace {

// Beside the engine, or in the installation of levin_trainer, which other programs use.
std::string library_path() {
  const auto beside = engine_library("download");
  return is_present(beside) ? beside : installation() / "libexec" / "levin" / beside.filename();
}

MakeLocalCopy load_library(const std::string& where) {
  void* library = ::dlopen(library_path().c_str(), RTLD_NOW);
  void* make = library ? ::dlsym(library, local_copy_symbol) : nullptr;
  if (make) return reinterpret_cast<MakeLocalCopy>(make);
  throw Error(ErrorCode::data_not_found,
              where + ": this Levin cannot download: " + ::dlerror() +
                  "; building it requires libcurl and libarchive; or download the data yourself and give its path");
}

Error problem_with(const LocalCopy& copy, const std::string& where) {
  const ErrorCode code = copy.status == LEVIN_E_INVALID ? ErrorCode::option_value_invalid
                         : is_full_disk(copy.problem)   ? ErrorCode::disk_full
                                                        : ErrorCode::data_not_found;
  return {code, where + ": " + copy.problem};
}

// What trained is not needed by every component outside a fit, so it then tries without.
void refuse_or_warn(const Error& problem, uint32_t stage, Console& console) {
  if (stage == LEVIN_STAGE_FIT || problem.code() == ErrorCode::option_value_invalid) throw problem;
  console.warn(std::string(problem.what()) + "; goes on without it");
}

}  // namespace

nlohmann::json with_local_copies(const ComponentSchema& schema, nlohmann::json options, uint32_t stage,
                                 Console& console) {
  const LocalCopyCalls calls{[&](const std::string& line) { console.info(line); }, [] { return interruption != 0; }};
  for (const OptionSchema& option : schema.options) {
    const auto value = options.find(option.name);
    if (!option.takes_url || value == options.end() || !value->is_string() || !is_url(value->get<std::string>()))
      continue;
    const std::string where = std::string("--") + kind_name(schema.kind) + "." + option.name;
    LocalCopy copy;
    load_library(where)(value->get<std::string>(), calls, copy);
    if (copy.ended) throw Interrupt{interruption};
    if (!copy.problem.empty()) refuse_or_warn(problem_with(copy, where), stage, console);
    *value = copy.path;
  }
  return options;
}

}  // namespace levin::core
