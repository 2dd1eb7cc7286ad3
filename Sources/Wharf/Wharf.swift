// The umbrella: `import Wharf` is all that most programs need.
@_exported public import WharfHTTP
@_exported public import WharfNet
@_exported public import WharfServer
@_exported public import WharfWebSocket
@_exported public import WharfWebSocketCodec
