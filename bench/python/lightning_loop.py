"""The workloads by Lightning, without a progress bar, summary and checkpoints."""

import dataclasses, logging, os, warnings


def import_lightning():
    """torch.distributed.fsdp of LibTorch 1.13 has mutable defaults of data classes, which Python 3.11 refuses."""
    original = dataclasses.dataclass

    def hashable(cls=None, **options):
        if cls is None:
            return lambda c: hashable(c, **options)
        cls = original(cls, **options)
        if cls.__hash__ is None:
            cls.__hash__ = object.__hash__
        return cls

    warnings.simplefilter("ignore")
    dataclasses.dataclass = hashable
    import torch.distributed.fsdp

    dataclasses.dataclass = original
    import pytorch_lightning

    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
    return pytorch_lightning


def lightning(args, workload, turns):
    pl = import_lightning()

    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = workload.net()

        def training_step(self, batch, _):
            loss = workload.loss(self.net, *batch)
            if args.log:
                self.log("train_loss", loss)
            return loss

        def configure_optimizers(self):
            return workload.optimizer(self.parameters())

    class TakeTurns(pl.Callback):
        def on_train_epoch_start(self, *_):
            turns.wait()

        def on_train_epoch_end(self, *_):
            turns.done()

    class FirstStep(pl.Callback):
        def on_train_batch_end(self, *_):
            turns.done()

    class Batches:
        def __init__(self):
            self.epoch = workload.batches(args.batch, args.batches)

        def __len__(self):
            return args.batches

        def __iter__(self):
            return iter(self.epoch())

    logger = pl.loggers.CSVLogger(os.path.dirname(args.log)) if args.log else False
    first = args.folder.startswith("first:")
    pl.Trainer(max_epochs=args.epochs, accelerator="cpu", logger=logger, enable_checkpointing=False,
               enable_progress_bar=False, enable_model_summary=False,
               callbacks=[FirstStep() if first else TakeTurns()]).fit(Module(), Batches())


if __name__ == "__main__":
    print(import_lightning().__version__)
