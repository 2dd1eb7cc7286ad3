// WharfHTTP
