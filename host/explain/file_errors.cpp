// Exit codes 4, 5 and 6: data, checkpoints, and numbers that are not finite.
#include "host/explain/error_rows.hpp"

namespace levin::core {

std::vector<ErrorRow> file_error_rows() {
  return {
      {ErrorCode::data_not_found, "The data is not there",
       "The data module found no data set in the folders that it searched, or there is no file of the name that an "
       "option gives, or an address cannot be downloaded.",
       "Check the path, put the files where the message says, or name their folder: host help DATA lists the options. "
       "Check an address in a browser; LEVIN_OFFLINE allows only copies that are there.",
       "libcsv_data.so: csv.setup: cannot open rows.csv: No such file or directory"},
      {ErrorCode::data_damaged, "The data cannot be read",
       "A file of the data set is cut off, damaged, not readable, or of another kind than the data module expects.",
       "Check its permissions and form, download it again, or leave out the rows that the message names.",
       "libmnist.so: mnist.setup: train-images-idx3-ubyte is shorter than its header says"},
      {ErrorCode::data_empty, "There is no data to work on",
       "The data has no training or prediction split, a split has no batches, or a job of tasks has no tasks.",
       "Choose other data, or limits above 0: --trainer.limit_train_batches.",
       "libdigits.so has no data to predict (no predict_dataloader)"},
      {ErrorCode::element_type_unsupported, "Plugins have no elements of this type",
       "A plugin passed or received a tensor whose type the plugin interface or this LibTorch does not have.",
       "Convert the tensor, for example to float.", "plugins have no element type like QInt8"},
      {ErrorCode::label_out_of_range, "A label is out of range",
       "A label is negative, or not less than the number of classes that the data module describes.",
       "Correct the label that the message names, or the number of classes.",
       "libimages.so: images.batch: split train, field 'y': row 4 is 10, and there are 10 classes: labels are 0 to 9"},
      {ErrorCode::record_damaged, "A record of a sweep or job is damaged",
       "The journal of a sweep, the ledger or the results of a job were changed or cut off.",
       "Restore the file from a copy, or start anew. The message names the place.",
       "study.journal: byte 512 begins a line that is no operation of a study"},
      {ErrorCode::checkpoint_not_found, "No such checkpoint",
       "There is no readable file at the path, or the run has no checkpoint of this kind.",
       "Give --ckpt_path FILE, or best or last with --run FOLDER. host runs lists the runs.",
       "--ckpt_path x.ckpt: there is no such file"},
      {ErrorCode::checkpoint_damaged, "The checkpoint or weights file is damaged",
       "The file is cut off, its checksum is wrong, or a value in it cannot be part of a checkpoint.",
       "host ckpt verify FILE|RUN_DIR finds the intact files. host resume RUN_DIR takes the newest intact one.",
       "epoch=1.ckpt: damaged: the header does not have its checksum"},
      {ErrorCode::checkpoint_does_not_fit, "The checkpoint does not fit the model",
       "Tensors of the checkpoint and of the model differ in name or shape, or checkpoints that belong together "
       "differ.",
       "Give the options of the model that saved it; host ckpt show FILE prints them. --model.init_from loads only "
       "what fits.",
       "epoch=1.ckpt: 'weight' has the shape [10, 8], and the model's has [10, 16]"},
      {ErrorCode::checkpoint_incomplete, "The checkpoint lacks a part that a fit needs",
       "The file holds weights only, or was saved without the state of the optimizers or the loop.",
       "Use it with validate, test or predict, or start a fit from its weights: --model.init_from FILE.",
       "weights.ckpt holds weights only, so a fit cannot resume from it"},
      {ErrorCode::checkpoint_format_unsupported, "The file has a format that cannot be used here",
       "The file is no checkpoint of Levin, does not name its model, or has elements of a type that is not loaded.",
       "The message says what the command takes. docs/weights.md lists the formats.",
       "net.pt: it is not a checkpoint of Levin, so a fit cannot resume from it"},
      {ErrorCode::checkpoint_state_refused, "A saved state does not fit this run",
       "An optimizer, a schedule, a metric or a component refuses the state that the checkpoint holds for it, because "
       "the run has other ones.",
       "Resume with the options of the saved run. --allow_plugin_changes resumes without states of components.",
       "optimizer 0 was 'adam', and the run's is 'sgd'"},
      {ErrorCode::checkpoint_not_writable, "A checkpoint of this content cannot be written",
       "The format cannot hold a tensor, a name or the amount of data.",
       "The message names the tensor or text. Convert it, or keep it out of the state.",
       "x.ckpt: cannot write: a name or text is not UTF-8"},
      {ErrorCode::no_intact_checkpoint, "None of the run's checkpoints is intact",
       "The run's checkpoints are damaged or were deleted.",
       "Put one back, name one with --ckpt_path FILE, or start a new run.",
       "levin_logs/version_0: this run had checkpoints, and none is left intact"},
      {ErrorCode::weights_do_not_match, "The initial weights do not match the model",
       "--model.init_from names a file whose tensors do not have the names and shapes of the model.",
       "--model.init_map renames tensors, and --model.init_match loads only those that fit.",
       "model.init_from: net.pt (a file of torch.save) gives 0 of the model's 4 tensors; not in the file: in.bias, "
       "in.weight"},
      {ErrorCode::lightning_checkpoint_unsupported, "The checkpoint of Lightning cannot be resumed",
       "A part of a file of PyTorch Lightning has no counterpart here, is damaged, or is of Lightning 1.",
       "The message names the part. --model.init_from FILE takes its weights. See docs/coming-from-lightning.md.",
       "the file is of Lightning 1.9"},

      {ErrorCode::loss_not_finite, "The loss is NaN or infinite",
       "A loss or a gradient of a step is not finite. No weight was changed.",
       "Check the fields of the batch that the message names. Lower the learning rate, clip with "
       "--trainer.gradient_clip_val, or find the operation with --trainer.detect_anomaly true. --trainer.non_finite "
       "skip or roll_back goes on.",
       "epoch 0, batch_idx 2, global_step 2: the loss is nan; no weight was changed"},
      {ErrorCode::parameter_not_finite, "A parameter is NaN or infinite",
       "The weights of the model are not finite, from its construction or after a step.",
       "Lower the learning rate, or start from other weights. --trainer.non_finite ignore allows it.",
       "the fit ended with a parameter that is not finite: 'weight'"},
      {ErrorCode::roll_back_failed, "The run cannot roll back",
       "--trainer.non_finite roll_back found no checkpoint yet, or has reloaded the same one too often.",
       "Check the data and the learning rate. Save earlier checkpoints, for example every N steps.",
       "the loss is nan; this run has no checkpoint to roll back to yet"},
      {ErrorCode::checkpoint_not_finite, "A checkpoint would contain NaN or infinite weights",
       "A parameter is not finite at the time of a save, so the file is not written.",
       "Resume from an earlier checkpoint with a lower learning rate. --trainer.non_finite ignore saves it anyway.",
       "last.ckpt is not saved: the parameter 'weight' is NaN or infinite"},
  };
}

}  // namespace levin::core
