// An HDF5 file.
#include "levin/error.hpp"
#include "plugins/hdf5/hdf5_array.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(hdf5_file) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    for (const std::string& name : hdf5::File(file.path()).names()) try {
        const hdf5::Hdf5Array array(hdf5::Place(file.path() + ":" + name), "x");
        if (array.row_size() > 1000000) continue;
        std::vector<float> row(static_cast<size_t>(array.row_size()));
        for (int64_t i = 0; i < std::min<int64_t>(array.rows(), 10); ++i) array.read(i, row.data());
      } catch (const levin::Error&) {
      }
  } catch (const levin::Error&) {
  }
}
