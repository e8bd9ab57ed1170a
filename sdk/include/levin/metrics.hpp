// Metrics with state: correct over batches of any size, reset and reduced by the Trainer.
//
//   levin::metrics::Accuracy accuracy{10};              // a member of the model: 10 classes
//   void validation_step(const levin::Batch& batch) {
//     accuracy.update(forward(batch.input()), batch.target());  // scores [N, C] or classes [N]; targets [N]
//     levin::metrics::log(*this, "val_acc", accuracy);  // of the epoch; reset when the next one begins
//   }
//
// One object for each name and loader. The state lives on the device of the inputs; update waits for no device.
#pragma once
#include "levin/torch/metrics/aggregation.hpp"
#include "levin/torch/metrics/auroc.hpp"
#include "levin/torch/metrics/classification.hpp"
#include "levin/torch/metrics/multilabel.hpp"
#include "levin/torch/metrics/multilabel_auroc.hpp"
#include "levin/torch/metrics/named.hpp"
#include "levin/torch/metrics/regression.hpp"
