#include "core/data/source/memory_check.hpp"

#include <cstdio>

#include "core/base/machine.hpp"

namespace levin::core {
namespace {

bool too_large(double bytes) { return memory_of_machine() > 0 && bytes > memory_of_machine(); }

std::string machine_text() { return ", and this machine has " + gibibytes(memory_of_machine()); }

}  // namespace

void check_batch_memory(const LoaderPlace& place, int64_t rows) {
  const double row = place.info.row_bytes(), bytes = row * static_cast<double>(rows);
  if (!too_large(bytes)) return;
  char row_text[32];
  std::snprintf(row_text, sizeof row_text, "%.0f", row);
  throw Error(
      ErrorKind::usage,
      place.data.plugin() + ": " + place.text() + ": out of memory: a batch of " + std::to_string(rows) + " rows of " +
          row_text + " bytes would need " + gibibytes(bytes) + machine_text() + "; give a smaller --data." +
          (place.split == LEVIN_TRAIN ? "batch_size" : "eval_batch_size, or batch_size where that is not given"));
}

void check_order_memory(const LoaderPlace& place, int64_t rows) {
  const double bytes = static_cast<double>(sizeof(int64_t)) * static_cast<double>(rows);
  if (!too_large(bytes)) return;
  throw place.error(ErrorKind::plugin, "describe",
                    place.text() + ": the order of " + std::to_string(rows) + " rows would need " + gibibytes(bytes) +
                        machine_text() + "; -1 rows stand for a stream");
}

}  // namespace levin::core
