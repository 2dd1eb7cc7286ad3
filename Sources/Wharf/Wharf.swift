// Wharf
