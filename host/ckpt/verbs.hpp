// What `host ckpt` does, one function for each word. Each returns the exit code and throws Error.
#pragma once
#include "host/ckpt/ckpt_words.hpp"

namespace levin::core::ckpt {

int show(const CkptWords& words);     // a file's tensors and where it comes from
int verify(const CkptWords& words);   // checks every byte of files
int diff(const CkptWords& words);     // two files
int average(const CkptWords& words);  // writes the mean of the weights of several files
int prune(const CkptWords& words);    // removes a run's checkpoints but for the best, the last and the newest

}  // namespace levin::core::ckpt
