// The declarations of Gloo (https://github.com/facebookincubator/gloo) that LibTorch's headers name and its wheels
// leave out. Their code is in LibTorch's library.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
