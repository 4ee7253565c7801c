package dev.mainstay.app;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Asks at a socket for a request that nobody made: any answer is a sign of life. */
final class SocketQuestion {
  private static final byte[] ASKED =
      "GET /nothing HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  private SocketQuestion() {}

  /** Whether somebody answers there in time; a process that was stopped still takes connections. */
  static boolean isAnswered(Path socket, Duration limit) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector selector = Selector.open()) {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(socket)) && !channel.finishConnect()) {
        return false;
      }
      channel.write(ByteBuffer.wrap(ASKED));
      channel.register(selector, SelectionKey.OP_READ);
      return selector.select(limit.toMillis()) > 0 && channel.read(ByteBuffer.allocate(1)) > 0;
    } catch (IOException | IllegalArgumentException nobody) {
      return false;
    }
  }
}
