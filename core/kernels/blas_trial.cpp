#include "core/kernels/blas_trial.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/rand.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <vector>

namespace levin::core {
namespace {

struct Sizes {
  int64_t rows, inner, columns;
};

void* openblas_function(const char* name) {
  for (const char* ending : {"", "64_"})
    if (void* const found = ::dlsym(RTLD_DEFAULT, (std::string(name) + ending).c_str())) return found;
  return nullptr;
}

// Small whole numbers, whose sums of products are exact in any order.
template <class T>
T number(int64_t i) {
  return static_cast<T>((i * 7 + i / 5) % 9 - 4);
}

// special: every row has a number that is infinite or NaN.
template <class T>
at::Tensor matrix(int64_t rows, int64_t columns, at::ScalarType type, bool special) {
  at::Tensor out = at::empty({rows, columns}, type);
  T* const values = out.data_ptr<T>();
  for (int64_t i = 0; i < rows * columns; ++i) values[i] = number<T>(i);
  const T specials[] = {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::quiet_NaN()};
  for (int64_t row = 0; special && row < rows; row += 2)
    values[row * columns + (row * 3) % columns] = specials[(row / 2) % 3];
  return out;
}

template <class T>
bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b;
}

template <class T>
std::vector<T> plain_product(const at::Tensor& a, const at::Tensor& b) {
  const auto left = a.accessor<T, 2>(), right = b.accessor<T, 2>();
  std::vector<T> out(static_cast<size_t>(a.size(0) * b.size(1)));
  for (int64_t i = 0; i < a.size(0); ++i)
    for (int64_t j = 0; j < b.size(1); ++j) {
      T& sum = out[static_cast<size_t>(i * b.size(1) + j)];
      for (int64_t k = 0; k < a.size(1); ++k) sum += left[i][k] * right[k][j];
    }
  return out;
}

template <class T>
bool equal(const at::Tensor& got, const std::vector<T>& expected) {
  const at::Tensor values = got.contiguous();
  for (size_t i = 0; i < expected.size(); ++i)
    if (!same(values.data_ptr<T>()[i], expected[i])) return false;
  return true;
}

// A matrix in row-major or in column-major order.
at::Tensor in_order(const at::Tensor& values, bool transposed) {
  return transposed ? values.t().contiguous().t() : values;
}

template <class T>
bool multiplies_rightly(const Sizes& of, at::ScalarType type, bool special) {
  const at::Tensor a = matrix<T>(of.rows, of.inner, type, special), b = matrix<T>(of.inner, of.columns, type, false);
  const std::vector<T> expected = plain_product<T>(a, b);
  for (const bool left : {false, true})
    for (const bool right : {false, true})
      if (!equal(at::mm(in_order(a, left), in_order(b, right)), expected)) return false;
  const at::Tensor column = b.narrow(1, 0, 1);
  return equal(at::mv(a, column.squeeze(1).contiguous()), plain_product<T>(a, column));
}

}  // namespace

std::string said_by_openblas(const char* function) {
  void* const found = openblas_function(function);
  return found ? reinterpret_cast<char* (*)()>(found)() : "";
}

std::string openblas_library() {
  Dl_info info{};
  void* const found = openblas_function("openblas_get_corename");
  if (!found || ::dladdr(found, &info) == 0 || !info.dli_fname) return "";
  char* const real = ::realpath(info.dli_fname, nullptr);
  const std::string out = real ? real : info.dli_fname;
  std::free(real);
  return out;
}

std::string wrong_blas_product() {
  const Sizes all[] = {{1, 1, 1},    {2, 3, 5},      {7, 13, 5},   {31, 17, 33},   {16, 64, 16},  {1, 129, 65},
                       {129, 1, 65}, {129, 65, 127}, {64, 64, 64}, {255, 257, 96}, {48, 320, 80}, {300, 33, 300}};
  for (const Sizes& of : all)
    for (const bool special : {false, true})
      if (!multiplies_rightly<float>(of, at::kFloat, special) || !multiplies_rightly<double>(of, at::kDouble, special))
        return std::to_string(of.rows) + "x" + std::to_string(of.inner) + " times " + std::to_string(of.inner) + "x" +
               std::to_string(of.columns) + (special ? " with infinities and NaN" : "");
  return "";
}

double blas_gflops() {
  constexpr int64_t n = 512;
  const at::Tensor a = at::rand({n, n}), b = at::rand({n, n});
  at::mm(a, b);
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  // The fastest product counts, because other programs may use the processor meanwhile.
  Seconds fastest(1e9);
  for (const auto start = Clock::now(); Clock::now() - start < std::chrono::milliseconds(100);) {
    const auto begin = Clock::now();
    at::mm(a, b);
    fastest = std::min<Seconds>(fastest, Clock::now() - begin);
  }
  return 2.0 * n * n * n / fastest.count() / 1e9;
}

}  // namespace levin::core
