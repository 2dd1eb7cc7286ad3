// WharfServer
