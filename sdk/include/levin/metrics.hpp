// Metrics with state: exact for batches of different size, reset and reduced by the Trainer.
//
//   levin::metrics::Accuracy accuracy{10};              // a member of the model: 10 classes
//   void validation_step(const levin::Batch& batch) {
//     accuracy.update(forward(batch.input()), batch.target());  // scores [N, C] or classes [N]; targets [N]
//     levin::metrics::log(*this, "val_acc", accuracy);  // of the epoch; reset when the next epoch begins
//   }
//
// Use one object per name and loader. The state is on the device of the inputs; update does not wait for the device.
#pragma once
#include "levin/torch/metrics/aggregation.hpp"
#include "levin/torch/metrics/auroc.hpp"
#include "levin/torch/metrics/classification.hpp"
#include "levin/torch/metrics/multilabel.hpp"
#include "levin/torch/metrics/multilabel_auroc.hpp"
#include "levin/torch/metrics/named.hpp"
#include "levin/torch/metrics/named_texts.hpp"
#include "levin/torch/metrics/regression.hpp"
