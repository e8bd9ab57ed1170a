// Rows of NumPy arrays (.npy, .npz), for classification and regression.
#include "../common/arrays/array_module.hpp"
#include "npy_array.hpp"

namespace npy {

constexpr levin_option own_options[] = {levin::required(
    levin::path("inputs", nullptr,
                "training inputs: FILE.npy or FILE.npz:ARRAY, first dimension = rows; FILE.npz alone = its array x or "
                "its only one"))};
constexpr auto npy_options = common::joined(own_options, arrays::array_options);

constexpr arrays::Format format{
    [](const std::string& place, const std::string& usual) -> std::shared_ptr<const arrays::Array> {
      return std::make_shared<const NpyArray>(ArrayPlace(place), usual);
    },
    [](const std::string& place) { return ArrayPlace(place).path; }, &array_names};

}  // namespace npy

LEVIN_PLUGIN("levin.npy", "0.1.0", "Apache-2.0",
             (levin::data_module<arrays::ArrayModule<npy::npy_options, npy::format>>(
                 "npy", "NumPy arrays (.npy and .npz), for classification and regression")));
