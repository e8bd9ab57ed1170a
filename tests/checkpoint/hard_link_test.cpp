#include "core/checkpoint/save_queue.hpp"

#include <sstream>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

size_t entries(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a second name is the same file until one of the two is replaced or removed") {
  const TempFolder temp;
  const fs::path best = temp.path() / "best.ckpt", last = temp.path() / "last.ckpt";
  std::ofstream(best) << "one";
  std::ofstream(last) << "before";
  name_also(best.string(), last.string());
  CHECK(fs::equivalent(best, last));
  name_also(best.string(), last.string());  // repeating it changes nothing
  CHECK(entries(temp.path()) == 2);
  std::ofstream(temp.path() / "new") << "two";
  fs::rename(temp.path() / "new", best);
  CHECK(text_of(last) == "one");
  fs::remove(best);
  CHECK(text_of(last) == "one");
}

TEST_CASE("where there can be no second name, the file is copied") {
  const TempFolder temp;
  const fs::path other = fs::path("/dev/shm") / temp.path().filename();  // usually another file system
  fs::create_directories(other);
  std::ofstream(temp.path() / "a.ckpt") << std::string(3 << 20, 'x');
  name_also((temp.path() / "a.ckpt").string(), (other / "deep" / "b.ckpt").string());
  CHECK(text_of(other / "deep" / "b.ckpt").size() == 3 << 20);
  CHECK(entries(other / "deep") == 1);
  fs::remove_all(other);
}

TEST_CASE("a second name of nothing leaves what was there") {
  const TempFolder temp;
  std::ofstream(temp.path() / "b.ckpt") << "kept";
  CHECK_THROWS_AS(name_also((temp.path() / "none.ckpt").string(), (temp.path() / "b.ckpt").string()), Error);
  CHECK(text_of(temp.path() / "b.ckpt") == "kept");
  CHECK(entries(temp.path()) == 1);
}
