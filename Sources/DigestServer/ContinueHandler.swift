#if Server
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// Asks a client that waits for it to send the body of its request (RFC 9110, section 10.1.1).
  final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .head(let head) = unwrapInboundIn(data), let expect = head.headerFields[.expect],
        expect.lowercased() == "100-continue"
      {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
      context.fireChannelRead(data)
    }
  }
#endif
