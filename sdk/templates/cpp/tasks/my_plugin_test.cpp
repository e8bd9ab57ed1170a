#include <levin/testing.hpp>
#include <levin/testing/tasks.hpp>

#include <cstdio>
#include <fstream>

#define CHECK(condition) \
  if (!(condition)) return std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), 1

int main() {
  std::ofstream("my_plugin_test.txt") << "1\n2\n3\n";
  levin::testing::FakeHost host;
  levin::testing::Component squares(host, "my_plugin", {{"factor", 2.0}});
  const std::vector<levin::testing::ReadTask> tasks = read(squares, "my_plugin_test.txt");
  CHECK(tasks.size() == 3);
  CHECK(tasks[2].data == "3");
  CHECK(handle(squares, "3") == "18.000000");
  CHECK(sum(squares, {"2.0", "8.0", "18.0"}) == "28.000000\n");
}
