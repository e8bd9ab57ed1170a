#include "core/plugin/library.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <typeinfo>

#define BOOST_DLL_USE_STD_FS
#include <boost/core/demangle.hpp>
#include <boost/dll/shared_library.hpp>

#include "core/base/error.hpp"
#include "core/plugin/checks/open_file.hpp"

namespace levin::core {
namespace {

// RTLD_NOW makes a missing symbol an error here instead of a crash in mid-run. RTLD_LOCAL keeps plugins from using each
// other's symbols. RTLD_NODELETE keeps exceptions, deleters and thread-local destructors of a plugin valid.
constexpr auto load_mode = static_cast<boost::dll::load_mode::type>(RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
// The part of the table that every plugin of this ABI fills in; later fields are optional.
constexpr uint32_t first_plugin_size = offsetof(levin_plugin, n_components) + sizeof(levin_plugin::n_components);

// Returns dlerror's text without the path, because the message already starts with the path.
std::string last_dl_error(const std::filesystem::path& path) {
  const char* error = dlerror();
  const std::string text = error ? error : "no reason is known", prefix = path.string() + ": ";
  return text.rfind(prefix, 0) == 0 ? text.substr(prefix.size()) : text;
}

// Describes the exception that is being handled: "threw an exception: too small".
std::string what_was_thrown() {
  try {
    throw;
  } catch (const std::exception& e) {
    return std::string("threw an exception: ") + e.what();
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return "threw something that is not an exception" +
           (type ? ", but of type " + boost::core::demangle(type->name()) : "");
  }
}

const levin_plugin* guarded_call(levin_plugin_fn entry, const levin_host& host, const std::string& name) {
  try {
    return entry(&host);
  } catch (...) {
    refuse_plugin(name, 10, "its entry " + what_was_thrown());
  }
}

// Runs the static initialisers with dlopen. dlopen is declared not to throw, so an exception of an initialiser would
// end the process. It is called through a pointer that hides the declaration, so that the exception passes. After an
// exception the dynamic loader stays locked, so this process must not load further libraries.
void run_initialisers(const std::filesystem::path& path, const std::string& name) {
  void* (*volatile open)(const char*, int) = &dlopen;
  try {
    open(path.c_str(), static_cast<int>(load_mode));
  } catch (...) {
    refuse_plugin(name, 8, "a static initialiser " + what_was_thrown());
  }
}

}  // namespace

levin_plugin_fn open_library(const std::filesystem::path& path, const std::string& name) {
  dlerror();
  std::error_code failed;
  boost::dll::shared_library library;
  run_initialisers(path, name);
  library.load(path, failed, load_mode);
  if (failed) refuse_plugin(name, 9, "cannot be loaded: " + last_dl_error(path));
  if (!library.has(LEVIN_ENTRY_NAME))
    refuse_plugin(name, 10,
                  "has no entry " LEVIN_ENTRY_NAME
                  "; LEVIN_PLUGIN(...) makes one, in C it is a function of "
                  "levin/abi.h that must be exported");
  return &library.get<const levin_plugin*(const levin_host*)>(LEVIN_ENTRY_NAME);
}

const levin_plugin& enter_library(levin_plugin_fn entry, const levin_host& host, const std::string& name,
                                  const std::function<std::string()>& failure) {
  const levin_plugin* plugin = guarded_call(entry, host, name);
  if (plugin == nullptr) {
    const std::string why = failure();
    refuse_plugin(name, 10,
                  "its entry refused to serve: " + (why.empty() ? "it returned NULL and gave no reason" : why));
  }
  if (plugin->size < first_plugin_size)
    refuse_plugin(name, 10,
                  "its entry returned a table of " + std::to_string(plugin->size) + " bytes, at least " +
                      std::to_string(first_plugin_size) + " are needed");
  if (plugin->abi_major != LEVIN_ABI_MAJOR)
    refuse_plugin(name, 10,
                  "its entry returned a table of ABI major " + std::to_string(plugin->abi_major) + ", this host has " +
                      std::to_string(LEVIN_ABI_MAJOR));
  return *plugin;
}

}  // namespace levin::core
