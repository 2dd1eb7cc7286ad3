/// A message as it is received whole.
public enum WebSocketMessage: Sendable, Hashable {
    case text(String)
    case binary([UInt8])
}
