// How the values of classes or labels are averaged.
#pragma once

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// micro: the value of all classes together. macro: the mean of the values of the classes. weighted: the mean weighted
// by the number of samples of each class. binary: the value of the second of two classes.
enum class Average { micro, macro, weighted, binary };

}  // namespace levin::metrics
#pragma GCC visibility pop
