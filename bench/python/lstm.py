from torch import nn


class Lstm(nn.Module):
    def __init__(self, vocabulary=64, width=64, hidden=128):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocabulary)

    def forward(self, x):
        return self.out(self.lstm(self.embedding(x))[0])
