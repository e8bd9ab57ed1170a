#include "core/plugin/checks/file_checks.hpp"

#include <elf.h>
#include <gnu/libc-version.h>

#include <algorithm>
#include <boost/core/demangle.hpp>
#include <cstdio>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/elf_symbols.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {
namespace {

#if defined(__x86_64__)
constexpr uint16_t own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t own_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr uint16_t own_machine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr uint16_t own_machine = EM_PPC64;
#elif defined(__s390x__)
constexpr uint16_t own_machine = EM_S390;
#else
#error "which ELF machine is this? add it here and to machine_name"
#endif

class FileChecks {
 public:
  FileChecks(const ElfFile& elf, const std::string& name, const HostFacts& host)
      : elf_(elf), name_(name), host_(host), torch_(elf.note_value("torch")) {}

  void machine() const {
    if (elf_.machine == host_.machine) return;
    refuse(2, std::string("made for ") + machine_name(elf_.machine) + "; this host runs on " +
                  machine_name(host_.machine));
  }

  void note() const {
    if (!elf_.has_note)
      refuse(3,
             "not a Levin plugin: it carries no Levin note; build it with levin_add_plugin(), or put LEVIN_NOTE into "
             "one of its sources");
    for (const char* key : {"abi", "id"})
      if (elf_.note_value(key).empty()) refuse(3, std::string("its Levin note has no ") + key + "; see LEVIN_NOTE");
  }

  void abi() const {
    const std::string text = elf_.note_value("abi");
    unsigned major = 0, minor = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%u.%u%c", &major, &minor, &rest) != 2)
      refuse(4, "its Levin note has abi=" + text + ", not MAJOR.MINOR");
    const std::string own = std::to_string(host_.abi_major) + "." + std::to_string(host_.abi_minor);
    if (major != host_.abi_major)
      refuse(4, "needs plugin ABI " + text + ", this host has " + own +
                    ", another major version; rebuild the plugin "
                    "with this host's SDK, or use a host of that version");
    if (major == 0 && minor != host_.abi_minor)
      refuse(4, "needs plugin ABI " + text + ", this host has " + own +
                    ", and before 1.0 both have to be the same; rebuild the plugin with this host's SDK, or use a host "
                    "of that version");
    if (minor > host_.abi_minor)
      refuse(4, "needs plugin ABI " + text + ", this host has only " + own +
                    "; use a newer host, or rebuild the "
                    "plugin with this host's SDK");
  }

  void fingerprint() const {
    if (portable() || host_.torch.version.empty()) return;
    const struct {
      const char *what, *key;
      const std::string& host;
    } rows[] = {{"LibTorch", "torch", host_.torch.version},
                {"C++11 ABI", "cxx11abi", host_.torch.cxx11_abi},
                {"C++ library", "stdlib", host_.torch.stdlib}};
    std::vector<std::string> differences;
    for (const auto& row : rows) {
      const std::string plugin = row.host.empty() ? std::string() : major_minor(elf_.note_value(row.key));
      if (plugin.empty() || plugin == row.host) continue;
      differences.push_back(std::string(row.what) + " " + plugin + ", this host has " + row.host);
    }
    if (differences.empty()) return;
    refuse(5,
           "built for another LibTorch: " + join(differences, "; ") +
               "; rebuild it with cmake -DLEVIN_TORCH=FOLDER, the folder of this host's LibTorch, or use the portable "
               "tier");
  }

  // Refuses filter and audit libraries, which the dynamic linker would load although they are not among the needed
  // ones.
  void companion() const {
    if (!elf_.companion.empty())
      refuse(6, "brings the library '" + elf_.companion +
                    "' as a filter or auditor (DT_FILTER, DT_AUXILIARY, DT_AUDIT); link it by name");
  }

  void libraries(std::vector<std::string>* warnings) const {
    for (const auto& library : elf_.needed) {
      if (library.find('/') != std::string::npos)
        refuse(6, "needs the library '" + library + "' by its path; link it by name");
      if (is_torch(library)) torch_library(library);
      const std::string openmp = openmp_of(library);
      if (!openmp.empty() && !host_.torch.openmp.empty() && openmp != host_.torch.openmp)
        warnings->push_back(name_ + ": uses the OpenMP runtime " + openmp + " beside LibTorch's " + host_.torch.openmp +
                            ": two thread pools, which is slow and may crash; build it with LibTorch's");
    }
  }

  void glibc() const {
    if (elf_.glibc.empty() || host_.glibc.empty() || compare_versions(host_.glibc, elf_.glibc) >= 0) return;
    refuse(6, "needs glibc " + elf_.glibc + ", this system has " + host_.glibc +
                  "; build it on a system with this version or an older one");
  }

  void run_path(bool trust, KnownFolders* folders) const {
    if (trust) return;
    const std::string problem = run_path_problem(elf_, std::filesystem::path(name_).parent_path(), folders);
    if (!problem.empty()) refuse(6, problem + ", or add --trust");
  }

  // Refuses exported STB_GNU_UNIQUE symbols of the SDK: all plugins would share the first one's object.
  void symbols() const {
    for (const auto& symbol : elf_.unique_symbols)
      if (outermost_scope(symbol) == "levin")
        refuse(6, "exports the SDK's " + boost::core::demangle(symbol.c_str()) +
                      " (STB_GNU_UNIQUE), which all plugins of a process would share; rebuild it with this host's SDK "
                      "and -fvisibility=hidden, as levin_add_plugin() does");
  }

 private:
  [[noreturn]] void refuse(int number, const std::string& why) const { refuse_plugin(name_, number, why); }

  bool portable() const { return torch_.empty() || torch_ == "none"; }

  // Only major and minor are compared: a patch release does not change the ABI, and the headers and the files of one
  // LibTorch release have had different patch numbers.
  static std::string major_minor(const std::string& version) {
    const size_t dot = version.find('.');
    return dot == std::string::npos ? version : version.substr(0, version.find('.', dot + 1));
  }

  static bool is_torch(const std::string& library) {
    for (const char* prefix : {"libtorch.", "libtorch_", "libc10.", "libc10_", "libtorch-", "libc10-"})
      if (starts_with(library, prefix)) return true;
    return false;
  }

  static std::string openmp_of(const std::string& library) {
    for (const char* runtime : {"libgomp", "libiomp5", "libomp"})
      if (starts_with(library, runtime)) return runtime;
    return {};
  }

  void torch_library(const std::string& library) const {
    if (portable())
      refuse(6, "its note says torch=none, but it needs " + library + "; build it with levin_add_plugin(... TORCH)");
    if (starts_with(library, "libtorch.") || library.find("_cuda") != std::string::npos)
      refuse(6, "needs " + library +
                    ", which this host does not load; link torch_cpu and c10 only, as "
                    "levin_add_plugin(... TORCH) does");
    const auto& own = host_.torch.libraries;
    if (own.empty() || std::find(own.begin(), own.end(), library) != own.end()) return;
    refuse(6, "needs " + library + ", this host runs with " + join(own, " and ") +
                  ": it would bring a second LibTorch; rebuild it with this host's LibTorch");
  }

  const ElfFile& elf_;
  const std::string& name_;
  const HostFacts& host_;
  const std::string torch_;
};

}  // namespace

// The values come from the build (core/CMakeLists.txt), so that the thin host has them without loading
// LibTorch.
HostTorch host_torch() {
  HostTorch torch;
  torch.version = LEVIN_TORCH_VERSION;
  torch.openmp = LEVIN_TORCH_OPENMP;
#if defined(_LIBCPP_VERSION)
  torch.stdlib = "libc++";
#else
  torch.stdlib = "libstdc++";
  torch.cxx11_abi = std::to_string(_GLIBCXX_USE_CXX11_ABI);  // the build refuses a LibTorch with another ABI
#endif
  for (const auto& library : split(LEVIN_TORCH_SONAMES, ' '))
    if (!library.empty()) torch.libraries.push_back(library);
  return torch;
}

HostFacts HostFacts::here() {
  return {own_machine, LEVIN_ABI_MAJOR, LEVIN_ABI_MINOR, host_torch(), gnu_get_libc_version()};
}

std::vector<std::string> check_elf(const ElfFile& elf, const std::string& name, const HostFacts& host, bool trust,
                                   KnownFolders* folders) {
  const FileChecks check(elf, name, host);
  std::vector<std::string> warnings;
  check.machine();
  check.note();
  check.abi();
  check.fingerprint();
  check.companion();
  check.libraries(&warnings);
  check.glibc();
  check.run_path(trust, folders);
  check.symbols();
  return warnings;
}

}  // namespace levin::core
