// WharfCrypto
