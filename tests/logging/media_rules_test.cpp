// The media that a component may log, and the form in which loggers receive them.
#include "core/logging/media_rules.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

namespace {

struct Given {
  std::vector<float> data = std::vector<float>(64);
  std::vector<int64_t> shape, strides;
  levin_view view{};
  levin_media media{};
  Given(const char* kind, levin_dtype dtype, std::vector<int64_t> sizes, double rate = 0) : shape(std::move(sizes)) {
    view = {data.data(), {LEVIN_CPU, 0}, static_cast<int32_t>(shape.size()), dtype, shape.data(), nullptr, 0};
    media = {sizeof media, 0, kind, "tag", -1, &view, nullptr, nullptr, rate};
  }
  Given(const char* kind, const char* text) { media = {sizeof media, 0, kind, "tag", -1, nullptr, text, nullptr, 0}; }
  std::string problem() const {
    try {
      CheckedMedia checked(media, 4);
      CHECK(checked.get().step == 4);
      return "";
    } catch (const Error& e) {
      CHECK(e.kind() == ErrorKind::usage);
      return e.what();
    }
  }
};

constexpr levin_dtype u8 = {LEVIN_UINT, 8, 1}, f32 = {LEVIN_FLOAT, 32, 1}, f64 = {LEVIN_FLOAT, 64, 1};

}  // namespace

TEST_CASE("media of the known kinds are checked, and what is wrong is said with kind and tag") {
  struct Case {
    Given given;
    const char* says;
  };
  const Case cases[] = {
      {{"image", u8, {2, 2, 3}}, ""},
      {{"figure", u8, {2, 2, 4}}, ""},
      {{"image", u8, {2, 2, 2}},
       "image 'tag': it has to be uint8 [height, width, 1, 3 or 4 channels], not uint8 [2, 2, 2]"},
      {{"image", f32, {2, 2, 3}}, "not float32 [2, 2, 3]"},
      {{"image", u8, {2, 2}}, "not uint8 [2, 2]"},
      {{"image", u8, {0, 2, 3}}, "not uint8 [0, 2, 3]"},
      {{"image", "text"}, "image 'tag': it has no view"},
      {{"video", u8, {2, 2, 2, 1}, 25}, ""},
      {{"video", u8, {2, 2, 2, 1}}, "rate has to be the number of frames per second"},
      {{"audio", f32, {8, 2}, 16000}, ""},
      {{"audio", f32, {8, 2}}, "rate has to be the number of samples"},
      {{"audio", f64, {8, 2}, 16000}, "not float64 [8, 2]"},
      {{"histogram", f64, {8}}, ""},
      {{"histogram", f64, {8, 1}}, "float64 [samples]"},
      {{"text", "hello"}, ""},
      {{"text", nullptr}, "text 'tag': it has no text"},
      {{"table", R"({"columns": ["a", "b"], "rows": [[1, "x"], [null, 2.5]]})"}, ""},
      {{"table", R"({"columns": ["a"], "rows": [[1, 2]]})"}, "as many cells as there are columns: 1"},
      {{"table", R"({"columns": [1], "rows": []})"}, "a table is {"},
      {{"table", "[1, 2]"}, "a table is {"},
      {{"table", "{"}, "table 'tag'"},
      {{"point cloud", f32, {8, 3}}, ""},
  };
  for (const Case& c : cases) {
    INFO(c.given.media.kind << " " << c.says);
    if (*c.says)
      CHECK_THAT(c.given.problem(), ContainsSubstring(c.says));
    else
      CHECK(c.given.problem() == "");
  }
  Given nothing("image", u8, {2, 2, 3});
  nothing.view.data = nullptr;
  CHECK_THAT(nothing.problem(), ContainsSubstring("its view has no data"));
  Given given("text", "x");
  given.media.step = -2;
  CHECK_THAT(given.problem(), ContainsSubstring("the step is -2"));
  given.media = {};
  CHECK_THAT(given.problem(), ContainsSubstring("needs a kind and a tag"));
}

TEST_CASE("loggers get views in row-major order, copied only where they are in another one") {
  Given given("histogram", f64, {3});
  const double values[] = {1, 9, 2, 9, 3};
  given.view.data = const_cast<double*>(values);
  const CheckedMedia same(given.media, 0);
  CHECK(same.get().view->data == values);
  given.strides = {2};
  given.view.strides = given.strides.data();
  const CheckedMedia moved(given.media, 0);
  CHECK(moved.get().view->strides == nullptr);
  CHECK(static_cast<const double*>(moved.get().view->data)[1] == 2);
  given.strides = {1};
  CHECK(CheckedMedia(given.media, 0).get().view->data == values);
  given.media.step = 11;
  CHECK(CheckedMedia(given.media, 3).get().step == 11);
}
