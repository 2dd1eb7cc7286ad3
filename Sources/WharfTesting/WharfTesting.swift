// WharfTesting
