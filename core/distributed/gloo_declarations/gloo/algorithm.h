// The Gloo declarations (https://github.com/facebookincubator/gloo) that LibTorch's headers need and its wheels do not
// contain. Their definitions are in LibTorch's library.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
