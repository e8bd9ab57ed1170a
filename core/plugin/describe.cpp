#include "core/plugin/describe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/description_checks.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/library.hpp"

namespace levin::core {
namespace {

// A host without services and tensors. A plugin does not need them to describe itself.
class DescribingHost {
 public:
  DescribingHost() {
    table_.size = sizeof table_;
    table_.abi_minor = LEVIN_ABI_MINOR;
    table_.name = "levin (describing)";
    table_.version = host_version;
    table_.ctx = this;
    table_.service = [](const levin_host*, const char*) -> const void* { return nullptr; };
    table_.fail = [](const levin_host* host, levin_status status, const char* text) {
      static_cast<DescribingHost*>(host->ctx)->failure_ = text ? text : "";
      return status;
    };
    table_.log = [](const levin_host*, int32_t, const char* text) { std::fprintf(stderr, "%s\n", text ? text : ""); };
    table_.tensor_retain = [](const levin_host*, levin_tensor*) {};
    table_.tensor_release = [](const levin_host*, levin_tensor*) {};
    table_.tensor_view = [](const levin_host* h, levin_tensor*, levin_view*) { return no_tensors(h); };
    table_.tensor_from_view = [](const levin_host* h, const levin_view*, levin_tensor**) { return no_tensors(h); };
    table_.tensor_from_managed = [](const levin_host* h, levin_managed*, levin_tensor**) { return no_tensors(h); };
    table_.tensor_item = [](const levin_host* h, levin_tensor*, double*) { return no_tensors(h); };
  }
  DescribingHost(const DescribingHost&) = delete;
  DescribingHost& operator=(const DescribingHost&) = delete;

  const levin_host& table() const { return table_; }
  const std::string& failure() const { return failure_; }

 private:
  static levin_status no_tensors(const levin_host* host) {
    return host->fail(host, LEVIN_E_UNSUPPORTED, "there are no tensors while a plugin is described");
  }

  levin_host table_{};
  std::string failure_;
};

HostFacts facts_without_torch() {
  HostFacts facts = HostFacts::here();
  facts.torch = {};  // this process has no LibTorch that could conflict
  return facts;
}

}  // namespace

std::string describe_file(const std::filesystem::path& path) {
  const OpenFile file(path, true);
  const std::string name = path.string();
  const ElfFile elf = read_elf(file.fd(), name);
  check_elf(elf, name, facts_without_torch(), true);
  static DescribingHost host;  // static, because a plugin may keep the pointer
  const levin_plugin_fn entry = open_library(file.path(), name);
  const levin_plugin& plugin = enter_library(entry, host.table(), name, [] { return host.failure(); });
  try {
    return to_json(checked_description(plugin, elf, name)).dump();
  } catch (const nlohmann::json::exception& e) {
    refuse_plugin(name, 11, std::string("a text of its description is not UTF-8: ") + e.what());
  }
}

int run_describe(const std::filesystem::path& path, bool trust) {
  // The plugin's output is sent to stderr, so that it does not mix with the answer.
  std::fflush(stdout);
  const int answer = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 64);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  if (!trust) confine();
  int code = 0;
  std::string text;
  try {
    text = describe_file(path);
  } catch (const Error& e) {
    text = nlohmann::json{{"problem", e.what()}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    code = e.exit_code();
  } catch (const std::exception& e) {
    const std::string problem = path.string() + ": cannot be described: " + e.what() + " (P8)";
    text = nlohmann::json{{"problem", problem}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    code = static_cast<int>(ErrorKind::plugin);
  }
  dprintf(answer, "%s\n", text.c_str());
  std::fflush(nullptr);
  _exit(code);  // without the static destructors of the plugin and its libraries, which might crash
}

}  // namespace levin::core
