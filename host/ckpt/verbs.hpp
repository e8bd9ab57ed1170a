// The verbs of `host ckpt`, one function each. Each function returns the exit code and throws Error.
#pragma once
#include "host/cli/arguments.hpp"

namespace levin::core::ckpt {

int show(const Arguments& arguments);     // prints a file's tensors and origin
int verify(const Arguments& arguments);   // checks every byte of files
int diff(const Arguments& arguments);     // compares two files
int average(const Arguments& arguments);  // writes the mean of the weights of several files
int prune(const Arguments& arguments);    // removes a run's checkpoints except the best, the last and the newest

}  // namespace levin::core::ckpt
