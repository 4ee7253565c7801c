package dev.mainstay.app;

import dev.mainstay.access.Secret;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the page once, as a browser does, before anybody has started one: what a server does for
 * the first time takes it several times as long. Nothing is changed by it.
 */
final class FirstLook {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Pattern FILE = Pattern.compile("(?:href|src)=\"(/page/[^\"]+)\"");
  private static final Pattern COOKIE = Pattern.compile("(?im)^Set-Cookie: ([^;\r\n]+)");
  private static final Logger LOG = LoggerFactory.getLogger(FirstLook.class);

  private final InetAddress address;
  private final int port;
  private final String token;

  private FirstLook(InetAddress address, int port, String token) {
    this.address = address;
    this.port = port;
    this.token = token;
  }

  /** In a thread of its own, which holds up neither the start nor the end of the server. */
  static void begin(String host, int port, String token) {
    InetAddress address;
    try {
      address = InetAddress.getByName(host); // the very one that the server listens on, as it asked
    } catch (UnknownHostException unknown) {
      return;
    }
    Thread thread =
        new Thread(() -> new FirstLook(address, port, token).look(), "mainstay-first-look");
    thread.setDaemon(true);
    thread.start();
  }

  private void look() {
    try {
      Matcher files = FILE.matcher(ask("GET", "/", "", List.of()));
      while (files.find()) ask("GET", files.group(1), "", List.of("Accept-Encoding: gzip"));
      String key = Secret.random();
      String body = JsonText.write(JsonObject.of("token", token, "key", key));
      Matcher cookie = COOKIE.matcher(ask("POST", "/sign-in", body, List.of()));
      if (!cookie.find()) return;
      var signedIn = List.of("Cookie: " + cookie.group(1), "Mainstay-Page: " + key);
      ask("GET", "/now", "", signedIn);
      ask("DELETE", "/sign-in", "", signedIn);
    } catch (IOException gone) {
      LOG.debug("nobody answered the first look", gone); // the server stops already
    }
  }

  private String ask(String verb, String path, String body, List<String> headers)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(verb + " " + path + " HTTP/1.1");
    lines.add("Host: 127.0.0.1:" + port);
    lines.add("Connection: close");
    if (!body.isEmpty()) {
      lines.add("Content-Type: application/json");
      lines.add("Content-Length: " + body.length());
    }
    lines.addAll(headers);
    String request = String.join("\r\n", lines) + "\r\n\r\n" + body;
    try (Socket socket = new Socket()) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(new InetSocketAddress(address, port), (int) PATIENCE.toMillis());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
