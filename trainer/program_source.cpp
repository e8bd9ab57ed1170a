#include "trainer/program_source.hpp"

#include "core/config/program_file.hpp"

namespace levin::core {

FoundComponent ProgramSource::find(const std::string& written, uint32_t kind) {
  if (!is_of_program(written)) return files_.find(written, kind);
  for (const ComponentSchema& component : schema_.components)
    if (component.kind == kind && written == program_ + ":" + component.id) return {program_, &component};
  throw Error(ErrorCode::internal_error, "the program has no " + std::string(kind_name(kind)) + " " + written);
}

}  // namespace levin::core
