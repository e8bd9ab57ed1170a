#include <dlfcn.h>
#include <link.h>

#include <boost/core/demangle.hpp>
#include <memory>
#include <optional>
#include <set>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/elf_symbols.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/library.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Close>;

// Returns the library with this SONAME or path if it is already loaded.
Library loaded(const std::string& name) { return Library(dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD)); }

std::vector<std::string> loaded_files() {
  std::vector<std::string> out;
  const auto add = [](struct dl_phdr_info* info, size_t, void* to) {
    if (info->dlpi_name && *info->dlpi_name) static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &out);
  return out;
}

fs::path path_of(const Library& library) {
  struct link_map* map = nullptr;
  return dlinfo(library.get(), RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name ? map->l_name : "";
}

bool is_meant_to_be_shared(const std::string& symbol) {
  const std::string scope = outermost_scope(symbol);
  for (const char* shared : {"std", "__gnu_cxx", "c10", "at", "torch", "caffe2"})
    if (scope == shared) return true;
  return false;
}

// Returns true if the library itself, not one that it needs, exports the symbol as STB_GNU_UNIQUE.
bool exports_unique(const Library& library, const std::string& symbol) {
  const void* address = dlsym(library.get(), symbol.c_str());
  Dl_info where{};
  const ElfW(Sym)* found = nullptr;
  if (!address || !dladdr1(address, &where, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&found)), RTLD_DL_SYMENT))
    return false;
  return found && ELF64_ST_BIND(found->st_info) == STB_GNU_UNIQUE && where.dli_fname == path_of(library);
}

// Reads a library shipped with a plugin; nullopt if it cannot be read.
std::optional<ElfFile> read_library(const fs::path& path) {
  try {
    return read_elf(OpenFile(path, true).fd(), path.string());
  } catch (const Error&) {
    return std::nullopt;
  }
}

class ReplacedLibraries {
 public:
  explicit ReplacedLibraries(const fs::path& plugin) : plugin_(plugin) {}

  void look_at(const ElfFile& elf, const fs::path& file) {
    for (const auto& name : elf.needed) {
      if (!seen_.insert(name).second) continue;
      const fs::path own = found_by_run_path(elf, file.parent_path(), name);
      if (own.empty()) continue;
      if (const Library other = loaded(name)) {
        compare(name, own, path_of(other));
      } else if (const auto library = read_library(own)) {
        look_at(*library, own);
      }
    }
  }
  std::vector<std::string> warnings;

 private:
  void compare(const std::string& name, const fs::path& own, const fs::path& other) {
    std::error_code failed;
    if (other.empty() || fs::equivalent(own, other, failed) || failed) return;
    warnings.push_back(
        plugin_.string() + ": brings " + own.string() + ", but " + other.string() +
        " is already loaded (by LibTorch or another plugin) under the same SONAME, " + name +
        ", and is used instead; link the plugin's own library statically, with -Wl,--exclude-libs,ALL, or "
        "under another SONAME");
  }

  const fs::path& plugin_;
  std::set<std::string> seen_;
};

}  // namespace

void refuse_shared_symbols(const ElfFile& elf, const fs::path& plugin) {
  for (const auto& symbol : elf.unique_symbols) {
    if (is_meant_to_be_shared(symbol)) continue;
    for (const auto& file : loaded_files()) {
      if (file == plugin) continue;
      const Library library = loaded(file);
      if (!library || !exports_unique(library, symbol)) continue;
      refuse_plugin(
          plugin.string(), 9,
          "exports " + boost::core::demangle(symbol.c_str()) + " (STB_GNU_UNIQUE), as does " + file +
              ", which is already loaded: a process has only one such symbol, so this plugin would use the other's "
              "object; build either of them with -fvisibility=hidden, as levin_add_plugin() does");
    }
  }
}

std::vector<std::string> replaced_libraries(const ElfFile& elf, const fs::path& plugin) {
  ReplacedLibraries found(plugin);
  found.look_at(elf, plugin);
  return std::move(found.warnings);
}

}  // namespace levin::core
