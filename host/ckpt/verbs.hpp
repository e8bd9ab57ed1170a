// What `host ckpt` does, one function for each word. Each returns the exit code and throws Error.
#pragma once
#include "host/ckpt/ckpt_arguments.hpp"

namespace levin::core::ckpt {

int show(const CkptArguments& arguments);     // a file's tensors and where it comes from
int verify(const CkptArguments& arguments);   // checks every byte of files
int diff(const CkptArguments& arguments);     // two files
int average(const CkptArguments& arguments);  // writes the mean of the weights of several files
int prune(const CkptArguments& arguments);    // removes a run's checkpoints but for the best, the last and the newest

}  // namespace levin::core::ckpt
