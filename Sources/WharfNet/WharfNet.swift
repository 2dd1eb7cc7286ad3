// WharfNet
