// Unit tests of a portable plugin without LibTorch. Compile the plugin's sources into the test program and write
//
//   levin::testing::FakeHost host;
//   host.set_metric("val_loss", 0.5);                                   // the state of the run
//   levin::testing::Component stop(host, "early_stopping", {{"patience", 1}});
//   stop.send(LEVIN_HOOK_TRAIN_EPOCH_END);                              // the call
//   CHECK(host.stopped.empty());                                        // what the plugin did
//
// World (levin/testing/world.hpp) lists what a test can set and check. Options are checked against the schema. The fake
// services are minimal: nothing trains, save creates an empty file, tensors are CPU buffers.
#pragma once
#include "levin/testing/component.hpp"
#include "levin/testing/host.hpp"
#include "levin/testing/options.hpp"
#include "levin/testing/rows.hpp"
