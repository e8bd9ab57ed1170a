#include "core/base/error.hpp"
#include "tasks/ledger/database.hpp"

namespace levin::core::tasks {

void check_ledger_url(const std::string&) {
  throw Error(ErrorCode::program_missing,
              "--ledger: this build has no PostgreSQL: install Debian's libpq-dev, configure and build Levin again");
}

std::unique_ptr<Database> open_postgresql(const LedgerPlace& place, bool) {
  check_ledger_url(place.url);
  return nullptr;
}

}  // namespace levin::core::tasks
