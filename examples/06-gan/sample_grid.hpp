// Places images side by side in one picture.
#pragma once
#include <ATen/ops/zeros.h>
#include <torch/types.h>
#include <levin/util/png.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace gan {

// images [rows, channels, height, width] in -1..1 -> [height, width, channels] bytes with `columns` images in each line
inline torch::Tensor grid(const torch::Tensor& images, int64_t columns) {
  const int64_t n = images.size(0), c = images.size(1), h = images.size(2), w = images.size(3);
  const int64_t lines = (n + columns - 1) / columns;
  torch::Tensor sheet = at::zeros({c, lines * h, columns * w});
  for (int64_t i = 0; i < n; ++i) sheet.narrow(1, i / columns * h, h).narrow(2, i % columns * w, w).copy_(images[i]);
  return sheet.add(1).mul(127.5).clamp(0, 255).to(torch::kUInt8).permute({1, 2, 0}).contiguous().cpu();
}

inline void write_png(const std::filesystem::path& path, const torch::Tensor& sheet) {
  std::filesystem::create_directories(path.parent_path());
  const auto size = [&](int d) { return static_cast<uint32_t>(sheet.size(d)); };
  std::ofstream(path, std::ios::binary) << levin::png(sheet.data_ptr<uint8_t>(), size(0), size(1), size(2));
}

}  // namespace gan
