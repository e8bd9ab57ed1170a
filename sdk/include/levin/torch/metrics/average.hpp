// How the values of classes, or of labels, become one.
#pragma once

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// micro is the value of all classes together. macro is the mean of their values. weighted is their mean, in which each
// counts as often as it was seen. binary is, of two classes, the value of the second one.
enum class Average { micro, macro, weighted, binary };

}  // namespace levin::metrics
#pragma GCC visibility pop
