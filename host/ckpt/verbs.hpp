// The verbs of `host ckpt`, one function each. Each function returns the exit code and throws Error.
#pragma once
#include "host/ckpt/ckpt_arguments.hpp"

namespace levin::core::ckpt {

int show(const CkptArguments& arguments);     // prints a file's tensors and origin
int verify(const CkptArguments& arguments);   // checks every byte of files
int diff(const CkptArguments& arguments);     // compares two files
int average(const CkptArguments& arguments);  // writes the mean of the weights of several files
int prune(const CkptArguments& arguments);    // removes a run's checkpoints except the best, the last and the newest

}  // namespace levin::core::ckpt
