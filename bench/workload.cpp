#include "bench/workload.hpp"

#include <cstring>
#include <map>
#include <random>
#include <stdexcept>

namespace levin_bench {
namespace {

const Workload workloads[] = {
    {"mlp8",
     [] {
       return mlp({8, 8, 1});
     },
     Input::numbers,
     {8},
     0,
     "sgd",
     0.01,
     0},
    {"mlp64",
     [] {
       return mlp({64, 64, 10});
     },
     Input::numbers,
     {64},
     10,
     "sgd",
     0.01,
     0},
    {"mlp784",
     [] {
       return mlp({784, 512, 512, 10});
     },
     Input::numbers,
     {784},
     10,
     "sgd",
     0.01,
     0.9},
    {"cnn", small_cnn, Input::numbers, {1, 28, 28}, 10, "sgd", 0.01, 0.5},
    {"resnet", default_resnet, Input::numbers, {1, 28, 28}, 10, "sgd", 0.01, 0.9},
    {"resnet18-32", resnet18_cifar, Input::numbers, {3, 32, 32}, 10, "sgd", 0.01, 0.9},
    {"resnet18-224", resnet18_imagenet, Input::numbers, {3, 224, 224}, 1000, "sgd", 0.01, 0.9},
    {"lstm", character_lstm, Input::characters, {65}, 2, "adam", 0.001, 0},
    {"transformer", character_transformer, Input::characters, {65}, 2, "adam", 0.001, 0},
    {"nothing", nothing, Input::numbers, {1, 28, 28}, 10, "sgd", 0.01, 0},
};

template <class T>
void copy_row(const std::vector<T>& from, size_t row, size_t width, void* to, int64_t place) {
  std::memcpy(static_cast<T*>(to) + static_cast<size_t>(place) * width, from.data() + row * width, width * sizeof(T));
}

}  // namespace

const Workload& find_workload(const std::string& name) {
  std::string names;
  for (const Workload& w : workloads) {
    if (name == w.name) return w;
    names += std::string(" ") + w.name;
  }
  throw std::invalid_argument("there is no workload '" + name + "'; there are" + names);
}

Rows::Rows(const Workload& workload, int64_t n) : size_(n) {
  for (int64_t d : workload.shape) width_ *= static_cast<size_t>(d);
  const size_t numbers = static_cast<size_t>(n) * width_;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> number(-1, 1);
  std::uniform_int_distribution<int64_t> character(0, vocabulary - 1);
  if (workload.input == Input::characters)
    for (size_t i = 0; i < numbers; ++i) characters_.push_back(character(random));
  else
    for (size_t i = 0; i < numbers; ++i) inputs_.push_back(number(random));
  for (int64_t i = 0; i < n; ++i) {
    if (workload.classes > 0)
      label_.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(workload.classes)));
    else
      number_.push_back(number(random));
  }
}

void Rows::gather(const int64_t* indices, int64_t n, void* x, void* y) const {
  for (int64_t i = 0; i < n; ++i) {
    const auto row = static_cast<size_t>(indices[i]);
    if (characters_.empty())
      copy_row(inputs_, row, width_, x, i);
    else
      copy_row(characters_, row, width_, x, i);
    if (label_.empty())
      copy_row(number_, row, 1, y, i);
    else
      copy_row(label_, row, 1, y, i);
  }
}

std::shared_ptr<const Rows> rows_of(const Workload& workload, int64_t n) {
  static std::map<std::pair<std::string, int64_t>, std::shared_ptr<const Rows>> made;
  auto& rows = made[{workload.name, n}];
  if (!rows) rows = std::make_shared<Rows>(workload, n);
  return rows;
}

}  // namespace levin_bench
