#include <levin/testing.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#define CHECK(condition) \
  if (!(condition)) return std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), 1

int main() {
  std::remove("my_plugin_test.txt");
  levin::testing::FakeHost host;
  levin::testing::Component logger(host, "my_plugin", {{"file", "my_plugin_test.txt"}});
  logger.begin(".");
  logger.metrics(3, {{"loss", 0.5}});
  logger.finalize();
  std::ifstream in("my_plugin_test.txt");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK(text == "3 loss 0.5\nsuccess\n");
}
