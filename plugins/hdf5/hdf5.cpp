// Rows of HDF5 files, for classification and regression.
#include "../common/arrays/array_module.hpp"
#include "hdf5_array.hpp"

namespace hdf5 {

constexpr levin_option own_options[] = {levin::required(
    levin::path("inputs", nullptr,
                "training inputs: FILE.h5:GROUP/DATASET, first dimension = rows; FILE.h5 alone = its data set x or its "
                "only one"))};
constexpr auto hdf5_options = common::joined(own_options, arrays::array_options);

constexpr arrays::Format format{
    [](const std::string& place, const std::string& usual) -> std::shared_ptr<const arrays::Array> {
      return std::make_shared<const Hdf5Array>(Place(place), usual);
    },
    [](const std::string& place) { return Place(place).path; }, &set_names};

}  // namespace hdf5

LEVIN_PLUGIN("levin.hdf5", "0.1.0", "Apache-2.0",
             (levin::data_module<arrays::ArrayModule<hdf5::hdf5_options, hdf5::format>>(
                 "hdf5", "HDF5 files, for classification and regression")));
