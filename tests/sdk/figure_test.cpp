#include "levin/util/figure.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "catch.hpp"

using levin::Figure;

namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

std::vector<std::string> tick_texts(const levin::detail::figure::Axis& axis, int most) {
  std::vector<std::string> out;
  for (const auto& tick : axis.ticks(most)) out.push_back(tick.text);
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("ticks are at round values, with as many digits as they need") {
  using levin::detail::figure::Axis;
  CHECK(tick_texts(Axis({0, 10}, false, 0, 100), 5) == Texts{"0", "2", "4", "6", "8", "10"});
  CHECK(tick_texts(Axis({-0.12, 0.23}, false, 0, 100), 4) == Texts{"-0.1", "0.0", "0.1", "0.2"});
  CHECK(tick_texts(Axis({0.001, 10000}, true, 0, 100), 10) ==
        Texts{"0.001", "0.01", "0.1", "1", "10", "100", "1000", "10000"});
  CHECK(tick_texts(Axis({1e-12, 1}, true, 0, 100), 4).size() <= 5);
  CHECK(tick_texts(Axis({}, false, 0, 100), 5).size() >= 2);      // no values
  CHECK(tick_texts(Axis({3, 3}, false, 0, 100), 5).size() >= 2);  // one value
  CHECK(tick_texts(Axis({1e300, 1.7e308}, false, 0, 100), 5).size() >= 2);
}

TEST_CASE("an axis places values, and logarithmic ones by their exponent") {
  using levin::detail::figure::Axis;
  CHECK(Axis({0, 10}, false, 100, 200).place(5) == Approx(150));
  CHECK(Axis({0, 10}, false, 200, 100).place(10) == Approx(100));
  CHECK(Axis({1, 100}, true, 0, 100).place(10) == Approx(50));
  CHECK_FALSE(Axis({1, 100}, true, 0, 100).shows(0));
  CHECK_FALSE(Axis({1, 100}, false, 0, 100).shows(std::nan("")));
}

TEST_CASE("values that are not finite are gaps of a line") {
  const std::string svg = Figure("loss").line("train", {0, 1, 2, 3, 4}, {1, 2, std::nan(""), 3, INFINITY}).svg();
  CHECK(count(svg, "<polyline") == 2);  // the line before the gap, and the one in the legend
  CHECK(count(svg, "<circle") == 1);    // the single point after it
  CHECK_THAT(svg, !ContainsSubstring("nan") && !ContainsSubstring("inf"));
  CHECK(count(Figure("loss").log_y().line("", {0, 1, 2, 3}, {1, 0, 2, 3}).svg(), "<circle") == 1);
}

TEST_CASE("a line of a million points has few in the picture and keeps its highest and lowest") {
  std::vector<double> xs, ys;
  std::mt19937 random(1);
  for (int i = 0; i < 1000000; ++i) {
    xs.push_back(i);
    ys.push_back(std::uniform_real_distribution<>(0, 1)(random));
  }
  ys[500123] = 7;
  const std::string svg = Figure("").line("", xs, ys).svg();
  CHECK(svg.size() < 60000);
  // The range of the axis is that of all values, so the highest one is near the top.
  const std::string points = svg.substr(svg.find("points=\""));
  double top = 1e9;
  for (size_t at = points.find(','); at != std::string::npos && at < points.find("\"/>"); at = points.find(',', at + 1))
    top = std::min(top, std::atof(points.c_str() + at + 1));
  CHECK(top < 40);
}

TEST_CASE("names become text, not markup") {
  const std::string svg = Figure("a<b & \"c\"").x_label("<x>").line("<script>", {1, 2}, {1, 2}).svg();
  CHECK_THAT(svg, ContainsSubstring("<title>a&lt;b &amp; &quot;c&quot;</title>") && !ContainsSubstring("<script>"));
}

TEST_CASE("dashed lines, bands and marks have the colour of the line before them") {
  const std::string svg = Figure("")
                              .line("a", {0, 1}, {0, 1})
                              .dashed_line("b", {0, 1}, {1, 2})
                              .band({0, 1}, {0, 1}, {1, 2})
                              .line("c", {0, 1}, {2, 3})
                              .svg();
  CHECK(count(svg, "stroke=\"#1f77b4\"") == 4);  // two lines and their legend
  CHECK(count(svg, "<polygon fill=\"#1f77b4\"") == 1);
  CHECK(count(svg, "stroke=\"#ff7f0e\"") == 2);
}

TEST_CASE("a histogram counts each finite value once") {
  const std::string svg = Figure("").size(400, 300).histogram({0, 0.1, 0.2, 1, std::nan("")}, 2).svg();
  CHECK(count(svg, "<rect") == 2);
  CHECK(count(Figure("").histogram({5, 5, 5}, 4).svg(), "<rect") == 4);
  CHECK(count(Figure("").histogram({}, 4).svg(), "<rect") == 0);
}

TEST_CASE("bars and heat maps name their cells") {
  const std::string bars = Figure("").bars({"cat", "dog"}, {3, -1}).svg();
  CHECK(count(bars, "<rect") == 2);
  CHECK_THAT(bars, ContainsSubstring(">cat<") && ContainsSubstring(">dog<"));
  const std::string map = Figure("").heat_map({"r0", "r1"}, {"c0", "c1", "c2"}, {1, 2, 3, 4, 5, std::nan("")}).svg();
  CHECK(count(map, "<rect") == 5);
  CHECK_THAT(map, ContainsSubstring(">r1<") && ContainsSubstring(">c2<") && ContainsSubstring(">5<"));
}

TEST_CASE("lists of different lengths are cut to the shorter one") {
  CHECK_NOTHROW(Figure("").line("", {1, 2, 3}, {1}).points("", {}, {1, 2}).band({1, 2}, {1}, {}).svg());
  CHECK_NOTHROW(Figure("").heat_map({"a"}, {"b", "c"}, {1}).svg());
  CHECK_NOTHROW(Figure("").heat_map({}, {}, {}).svg());
}

namespace {

struct Pixel {
  int red, green, blue;
  bool operator==(const Pixel& other) const { return red == other.red && green == other.green && blue == other.blue; }
};

Pixel pixel_of(const levin::FigurePixels& drawn, double x, double y) {
  const auto at = (static_cast<size_t>(y * static_cast<double>(drawn.height)) * static_cast<size_t>(drawn.width) +
                   static_cast<size_t>(x * static_cast<double>(drawn.width))) *
                  3;
  return {drawn.rgb[at], drawn.rgb[at + 1], drawn.rgb[at + 2]};
}

}  // namespace

TEST_CASE("a figure in pixels has white ground, its bars and cells in their colours, and text") {
  const Pixel white{255, 255, 255}, blue{31, 119, 180};
  const auto bars = Figure("").bars({"a", "b"}, {1, 0}).size(200, 100).pixels(3);
  CHECK(bars.height == 300);
  CHECK(bars.width == 600);
  CHECK(bars.rgb.size() == size_t{300} * 600 * 3);
  CHECK(pixel_of(bars, 0.45, 0.5) == blue);
  CHECK(pixel_of(bars, 0.75, 0.5) == white);
  const auto dark = [](const levin::FigurePixels& drawn) {
    return std::count(drawn.rgb.begin(), drawn.rgb.end(), uint8_t{32});
  };
  CHECK(dark(Figure("a title \xc3\xa4").size(300, 50).pixels()) > dark(Figure("").size(300, 50).pixels()) + 100);
  CHECK(pixel_of(Figure("").heat_map({"r"}, {"c"}, {1}).size(200, 200).pixels(), 0.8, 0.6) == blue);
}

TEST_CASE("figures in pixels bear what is not finite, outside or too small") {
  const double huge = 1e308, nan = std::nan("");
  for (const int size : {-5, 0, 1, 7})
    CHECK_NOTHROW(Figure("title").size(size, size).line("x", {0, 1}, {0, 1}).bars({"a"}, {1}).pixels());
  CHECK_NOTHROW(Figure("t")
                    .line("x", {-huge, 0, huge, nan}, {huge, -huge, nan, 1})
                    .dashed_line("d", {0, 1}, {nan, 1})
                    .dashed_line("e", {-huge, huge}, {huge, -huge})
                    .pixels());
  CHECK_NOTHROW(Figure("t").band({0, 1, 2}, {0, nan, 1}, {1, 2, huge}).mark(0.5, 0.5, std::string(5000, 'm')).pixels());
  CHECK_NOTHROW(Figure("").pixels(0));
}

TEST_CASE("data that is compressed is the same in the zlib of others, and small where it repeats") {
  std::mt19937 random(1);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{2}, size_t{257}, size_t{65536}, size_t{300000}}) {
    std::string data(size, '\0');
    for (size_t i = 0; i < size; ++i) data[i] = static_cast<char>(i % 5 < 2 ? random() : i / 1000);
    const std::string stream = levin::zlib_stream(data);
    std::string back(size + 1, '\0');
    uLongf length = back.size();
    REQUIRE(uncompress(reinterpret_cast<Bytef*>(back.data()), &length, reinterpret_cast<const Bytef*>(stream.data()),
                       stream.size()) == Z_OK);
    CHECK(back.substr(0, length) == data);
  }
  CHECK(levin::zlib_stream(std::string(1000000, 'x')).size() < 8000);
  const std::string png = Figure("loss").line("train", {0, 1, 2}, {3, 1, 2}).png();
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(png.size() < 60000);
}
