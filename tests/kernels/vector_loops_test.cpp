#include "core/kernels/vectors/vector_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace levin::core;

namespace {

// The loops that this processor can run.
std::vector<const VectorLoops*> all_loops() {
  std::vector<const VectorLoops*> out;
  if (vector_loops()) out.push_back(vector_loops());
#ifdef __x86_64__
  if (vector_loops() && vector_loops() != avx2_loops()) out.push_back(avx2_loops());
#endif
  if (out.empty()) WARN("SKIPPED: this processor has no vectors for the loops");
  return out;
}

std::vector<float> random_numbers(int64_t n, std::mt19937& random) {
  std::uniform_real_distribution<float> any(-2, 2);
  std::vector<float> out(static_cast<size_t>(n));
  for (float& x : out) x = any(random);
  return out;
}
double number(const std::vector<float>& numbers, int64_t i) {
  return static_cast<double>(numbers[static_cast<size_t>(i)]);
}
bool near(double a, double b, double by) {
  return (std::isnan(a) && std::isnan(b)) || a == b || std::abs(a - b) <= by * (1 + std::abs(b));
}

}  // namespace

TEST_CASE("products of matrices of any size and order are those of a plain loop") {
  std::mt19937 random(1);
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (const VectorLoops* loops : all_loops())
    for (int i = 0; i < 300; ++i) {
      const int64_t m = pick(1, 45), n = pick(1, 90), k = i < 5 ? max_depth : pick(1, 70), row = n + pick(0, 3);
      const std::vector<float> a = random_numbers(m * k, random), b = random_numbers(k * n, random);
      const std::vector<float> base = random_numbers(m * n, random);
      const bool a_transposed = pick(0, 1) == 1, b_transposed = pick(0, 1) == 1;
      const int64_t kind = pick(0, 2), base_row = kind == 1 ? 0 : n;
      std::vector<float> panels(static_cast<size_t>(panels_size(*loops, k, n)), 7);
      std::vector<float> out(static_cast<size_t>(m * row), 5);
      loops->pack({b.data(), b_transposed ? 1 : n, b_transposed ? k : 1}, k, n, panels.data());
      loops->multiply(m, n, k, {a.data(), a_transposed ? 1 : k, a_transposed ? m : 1}, panels.data(),
                      kind == 0 ? nullptr : base.data(), base_row, out.data(), row);
      double worst = 0;
      bool untouched = true;
      for (int64_t r = 0; r < m; ++r)
        for (int64_t j = 0; j < row; ++j) {
          if (j >= n) {
            untouched = untouched && number(out, r * row + j) == 5;
            continue;
          }
          double sum = kind == 0 ? 0 : number(base, r * base_row + j);
          for (int64_t q = 0; q < k; ++q)
            sum += number(a, a_transposed ? q * m + r : r * k + q) * number(b, b_transposed ? j * k + q : q * n + j);
          worst = std::max(worst, std::abs(number(out, r * row + j) - sum));
        }
      INFO(m << " x " << k << " x " << n);
      CHECK(worst < 1e-4);
      CHECK(untouched);
    }
}

TEST_CASE("a number of a product does not depend on the other rows and columns") {
  std::mt19937 random(2);
  for (const VectorLoops* loops : all_loops()) {
    const int64_t m = 41, n = 77, k = 53;
    const std::vector<float> a = random_numbers(m * k, random), b = random_numbers(k * n, random);
    const auto product = [&](int64_t first, int64_t rows, int64_t column, int64_t columns) {
      std::vector<float> panels(static_cast<size_t>(panels_size(*loops, k, columns)));
      std::vector<float> out(static_cast<size_t>(rows * columns));
      loops->pack({b.data() + column, n, 1}, k, columns, panels.data());
      loops->multiply(rows, columns, k, {a.data() + first * k, k, 1}, panels.data(), nullptr, 0, out.data(), columns);
      return out;
    };
    const std::vector<float> whole = product(0, m, 0, n);
    for (const int64_t first : {0, 3, 20})
      for (const int64_t rows : {1, 5, 21})
        for (const int64_t column : {0, 9, 40}) {
          const std::vector<float> part = product(first, rows, column, 37);
          bool same = true;
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t j = 0; j < 37; ++j)
              same = same && number(part, r * 37 + j) == number(whole, (first + r) * n + column + j);
          CHECK(same);
        }
  }
}

TEST_CASE("infinities and NaN of a product reach their row or column alone") {
  for (const VectorLoops* loops : all_loops()) {
    const int64_t m = 7, n = 19, k = 5;
    std::vector<float> a(static_cast<size_t>(m * k), 1), b(static_cast<size_t>(k * n), 1);
    a[2 * k + 1] = std::numeric_limits<float>::infinity();
    b[3 * n + 18] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> panels(static_cast<size_t>(panels_size(*loops, k, n))), out(static_cast<size_t>(m * n));
    loops->pack({b.data(), n, 1}, k, n, panels.data());
    loops->multiply(m, n, k, {a.data(), k, 1}, panels.data(), nullptr, 0, out.data(), n);
    for (int64_t r = 0; r < m; ++r)
      for (int64_t j = 0; j < n; ++j) {
        const double x = number(out, r * n + j);
        CHECK((j == 18 ? std::isnan(x) : r == 2 ? std::isinf(x) : x == 5));
      }
  }
}

TEST_CASE("sigmoid and tanh are exact to rounding over all floats") {
  const auto inf = std::numeric_limits<double>::infinity();
  for (const VectorLoops* loops : all_loops()) {
    std::vector<double> points = {inf, -inf, std::nan(""), 0, 1e-30, -1e-30, 3e38, -3e38};
    for (double x = -110; x < 110; x += 0.0371) points.push_back(x);
    for (const double point : points) {
      const auto x = static_cast<float>(point);
      const auto exact = static_cast<double>(x);
      float gates[4] = {x, x, x, x}, cell = 0, squeezed = 0, hidden = 0;
      const float zero = 0;
      loops->lstm_step({gates, &zero, &cell, &squeezed, &hidden}, 1);
      INFO("at " << point);
      const double sigmoid = 1 / (1 + std::exp(-exact));
      CHECK(near(static_cast<double>(gates[0]), sigmoid, 2e-7));
      CHECK(near(static_cast<double>(gates[2]), std::tanh(exact), 2e-7));
      CHECK(near(static_cast<double>(hidden), sigmoid * std::tanh(sigmoid * std::tanh(exact)), 3e-7));
    }
    float small[4] = {0, 0, 1e-6F, 0}, cell = 0, squeezed = 0, hidden = 0;
    const float zero = 0;
    loops->lstm_step({small, &zero, &cell, &squeezed, &hidden}, 1);
    CHECK(small[2] == 1e-6F);  // exact relative to small numbers, too
  }
}

TEST_CASE("matrices of any size are transposed") {
  std::mt19937 random(5);
  for (const VectorLoops* loops : all_loops())
    for (int64_t rows = 1; rows < 70; rows += 3)
      for (int64_t columns = 1; columns < 80; columns += 7) {
        const std::vector<float> from = random_numbers(rows * columns, random);
        std::vector<float> to(from.size());
        loops->transpose(from.data(), rows, columns, to.data());
        bool right = true;
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < columns; ++c)
            right = right && number(to, c * rows + r) == number(from, r * columns + c);
        CHECK(right);
      }
}
