#include "report/curves.hpp"

#include <algorithm>

#include "runs/metric_name.hpp"
#include "sdk/include/levin/util/figure.hpp"

namespace levin::core::report {
namespace {

struct Curve {
  std::string run;
  MetricName name;
  const MetricHistory* history;
};

std::string label_of(const Curve& curve, bool several_runs) {
  const std::string part = curve.name.without_base();
  const std::string out = several_runs ? curve.run + (part.empty() ? "" : " ") + part : part;
  return out.empty() ? curve.name.base : out;
}

Picture picture_of(const std::string& base, const std::vector<Curve>& curves, bool several_runs) {
  Figure figure(base);
  figure.x_label("step").size(640, 330 + 18 * static_cast<int>(std::min<size_t>(curves.size() / 4, 30)));
  std::string run_before;
  for (const Curve& curve : curves) {
    const bool dashed = several_runs && curve.run == run_before;
    if (dashed)
      figure.dashed_line(label_of(curve, several_runs), curve.history->steps, curve.history->values);
    else
      figure.line(label_of(curve, several_runs), curve.history->steps, curve.history->values);
    run_before = curve.run;
  }
  return {base, figure.svg()};
}

bool is_curve(const MetricHistory& history) {
  return std::adjacent_find(history.steps.begin(), history.steps.end(), std::not_equal_to<>()) != history.steps.end();
}

}  // namespace

std::vector<Picture> curves_of(const std::vector<RunCurves>& runs) {
  std::vector<std::string> bases;
  std::vector<Curve> curves;
  for (const RunCurves& run : runs)
    for (const auto& [full_name, history] : *run.metrics) {
      const MetricName name = parsed_name(full_name);
      if (!is_curve(history)) continue;
      if (std::count(bases.begin(), bases.end(), name.base) == 0) bases.push_back(name.base);
      curves.push_back({run.run, name, &history});
    }
  std::sort(bases.begin(), bases.end());
  std::vector<Picture> out;
  for (const std::string& base : bases) {
    std::vector<Curve> own;
    std::copy_if(curves.begin(), curves.end(), std::back_inserter(own),
                 [&base](const Curve& curve) { return curve.name.base == base; });
    out.push_back(picture_of(base, own, runs.size() > 1));
  }
  return out;
}

}  // namespace levin::core::report
