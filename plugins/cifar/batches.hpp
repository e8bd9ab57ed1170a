// The images and labels of CIFAR's files.
#pragma once
#include "../common/images/byte_images.hpp"
#include "set_files.hpp"

namespace cifar {

enum class Labels { ten, fine, coarse };

inline constexpr common::ImageShape image_shape{3, 32, 32};

// Reads the training and test images. Throws levin::Error for a missing, truncated or damaged file, and for a label
// that is no class.
common::ByteImageSets read_set(const SetFiles& set, Labels labels);

}  // namespace cifar
