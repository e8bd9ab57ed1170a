// A .npy file, or an archive of them.
#include "levin/error.hpp"
#include "plugins/npy/npy_array.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(npy_files) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  for (const char* usual : {"x", "y"}) try {
      const npy::NpyArray array(npy::ArrayPlace(file.path()), usual);
      if (array.row_size() > 1000000) continue;
      std::vector<float> floats(static_cast<size_t>(array.row_size()));
      std::vector<double> doubles(floats.size());
      for (int64_t row = 0; row < std::min<int64_t>(array.rows(), 10); ++row) array.read(row, floats.data());
      array.read(array.rows() - 1, doubles.data());
    } catch (const levin::Error&) {
    }
}
