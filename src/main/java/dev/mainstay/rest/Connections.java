package dev.mainstay.rest;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Knows on which connections something is asked that is not answered yet. The others, which
 * browsers and agents keep for later, need not be waited for when the server stops: Jetty would
 * give each a second.
 */
final class Connections extends GracefulHandler {
  private final Set<Connection> busy = ConcurrentHashMap.newKeySet();

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection own = request.getConnectionMetaData().getConnection();
    busy.add(own);
    Request.addCompletionListener(request, fault -> busy.remove(own));
    return super.handle(request, response, callback);
  }

  /** Closes those on which all is answered. */
  void closeIdle() {
    for (Connector door : getServer().getConnectors()) {
      for (EndPoint each : door.getConnectedEndPoints()) {
        if (!busy.contains(asking(each.getConnection()))) each.close();
      }
    }
  }

  private static Connection asking(Connection outer) {
    return outer instanceof SslConnection tls ? tls.getSslEndPoint().getConnection() : outer;
  }
}
