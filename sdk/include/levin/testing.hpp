// Unit tests of a portable plugin without LibTorch. Compile the plugin's sources into the test program and write
//
//   levin::testing::FakeHost host;
//   host.set_metric("val_loss", 0.5);                                   // what the run is like
//   levin::testing::Component stop(host, "early_stopping", {{"patience", 1}});
//   stop.send(LEVIN_HOOK_TRAIN_EPOCH_END);                              // what happens
//   CHECK(host.stopped.empty());                                        // what the plugin did
//
// A World (levin/testing/world.hpp) lists what can be set and seen. Options are checked against the schema. The fake
// services do what their description says, and no more: nothing trains, save makes an empty file, tensors are CPU
// buffers.
#pragma once
#include "levin/testing/component.hpp"
#include "levin/testing/host.hpp"
#include "levin/testing/options.hpp"
#include "levin/testing/rows.hpp"
