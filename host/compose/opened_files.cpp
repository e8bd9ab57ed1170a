#include "host/compose/opened_files.hpp"

#include <string>
#include <utility>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

struct OpenedFile {
  const char* group;
  const char* extension;
  const char* component;
  const char* option;  // its path
};
constexpr OpenedFile opened_files[] = {
    {"model", ".pt", "torchscript", "file"},  {"model", ".pth", "torchscript", "file"},
    {"model", ".ts", "torchscript", "file"},  {"model", ".torchscript", "torchscript", "file"},
    {"model", ".pt2", "torchscript", "file"},  // refused by name
};

const OpenedFile* opened(const Setting& setting) {
  if (!setting.value.is_string()) return nullptr;
  const std::string file = setting.value.get<std::string>();
  for (const OpenedFile& row : opened_files)
    if (setting.key == row.group && ends_with(file, row.extension)) return &row;
  return nullptr;
}

}  // namespace

void open_files(std::vector<Setting>& settings) {
  std::vector<Setting> out;
  out.reserve(settings.size());
  for (Setting& setting : settings) {
    const OpenedFile* row = opened(setting);
    if (row != nullptr) {
      Setting option = setting;
      option.key += std::string(".") + row->option;
      setting.value = row->component;
      out.push_back(std::move(setting));
      out.push_back(std::move(option));
    } else {
      out.push_back(std::move(setting));
    }
  }
  settings = std::move(out);
}

}  // namespace levin::core
