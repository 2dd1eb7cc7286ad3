import Glibc

/// Whether the long simulations run: `make simulate` sets WHARF_SIMULATE, `make verify` calls it.
let isSimulating = unsafe getenv("WHARF_SIMULATE") != nil
