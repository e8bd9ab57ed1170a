// How the values of classes, or of labels, become one.
#pragma once

namespace levin::metrics {

// micro: of all together; macro: their mean; weighted: their mean, each as often as it was seen; binary: of two
// classes, the second one's value.
enum class Average { micro, macro, weighted, binary };

}  // namespace levin::metrics
