/// The sockets of one loop by token.
///
/// A token is a slot and the slot's generation: an event for a socket that was closed since finds
/// nothing, though its slot may have a new owner.
struct SocketTable {
    private struct Slot {
        var socket: Socket?
        var generation: UInt32 = 0
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    subscript(token: UInt64) -> Socket? {
        let index = Int(truncatingIfNeeded: token & 0xFFFF_FFFF)
        guard index < slots.count, slots[index].generation == UInt32(token >> 32) else {
            return nil
        }
        return slots[index].socket
    }

    var all: [Socket] { slots.compactMap(\.socket) }

    mutating func insert(_ socket: Socket) -> UInt64 {
        let index: Int
        if let reused = free.popLast() {
            index = Int(reused)
        } else {
            index = slots.count
            slots.append(Slot())
        }
        slots[index].socket = socket
        return UInt64(slots[index].generation) << 32 | UInt64(index)
    }

    mutating func remove(_ token: UInt64) {
        guard self[token] != nil else { return }
        let index = Int(token & 0xFFFF_FFFF)
        slots[index].socket = nil
        slots[index].generation &+= 1
        // A generation that comes around could meet an event of its first life: retire the slot.
        if slots[index].generation != .max { free.append(UInt32(index)) }
    }
}
