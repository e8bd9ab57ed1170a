#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "tasks/common/random_hex.hpp"
#include "tasks/ledger/database.hpp"

namespace levin::core::tasks {

namespace {
constexpr const char* schema_prefix = "levin_";
constexpr size_t schema_digits = 16;
}  // namespace

void write_ledger_place(const std::filesystem::path& file, const std::string& url) {
  write_file_durable(file, url + "\n" + schema_prefix + random_hex(schema_digits / 2) + "\n");
}

LedgerPlace read_ledger_place(const std::filesystem::path& file) {
  const std::vector<std::string> lines = split(trim(read_file(file, ErrorCode::operation_failed)), '\n');
  const std::string prefix = schema_prefix;
  if (lines.size() != 2 || !starts_with(lines[1], prefix) || !is_hex(lines[1].substr(prefix.size()), schema_digits))
    throw Error(ErrorCode::record_damaged,
                file.string() + " is damaged: it has to have a URL and " + prefix + "NUMBER");
  check_ledger_url(lines[0]);
  return {lines[0], lines[1]};
}

}  // namespace levin::core::tasks
