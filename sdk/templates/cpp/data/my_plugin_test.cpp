#include <levin/testing.hpp>

#include <cstdio>

#define CHECK(condition) \
  if (!(condition)) return std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), 1

int main() {
  using levin::Split;
  levin::testing::FakeHost host;
  levin::testing::Component data(host, "my_plugin", {{"rows", 100}});
  levin::testing::setup(data, levin::Stage::fit);
  CHECK(levin::testing::describe(data, Split::train).rows == 100);
  const auto rows = levin::testing::fill(data, Split::train, {0, 1, 2, 3});
  const auto again = levin::testing::fill(data, Split::train, {3, 2, 1, 0});
  for (int i = 0; i < 4; ++i) {
    CHECK(rows.at(0, 2 * i) == again.at(0, 2 * (3 - i)));  // a row does not depend on the others
    CHECK((rows.at(0, 2 * i + 1) > rows.at(0, 2 * i)) == (rows.at(1, i) == 1));
  }
}
