package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.json.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Loads what commands, MCP and servers need, in a folder of its own: what {@link dev.mainstay.Jvm}
 * archives.
 */
public final class Training {
  private Training() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    WarmUp.run(folder, false);
    Path project = folder.resolve("project");
    Files.createDirectories(project.resolve(".git"));
    PipedOutputStream said = new PipedOutputStream();
    Thread server = new Thread(() -> serve(project, said));
    server.setDaemon(true);
    try (var out = new BufferedReader(new InputStreamReader(new PipedInputStream(said)))) {
      server.start();
      String address = JsonText.object(out.readLine()).text("address");
      String token = Files.readString(project.resolve(".mainstay/token")).strip();
      ask(address + "/tasks", token, "{\"title\": \"one\"}");
      ask(address + "/tasks/claim", token, "{\"worker\": \"ada\"}");
      ask(address + "/tasks/T-001/state", token, "{\"decisions\": [\"warm up\"]}");
    }
    System.exit(0);
  }

  private static void ask(String url, String token, String body) throws IOException {
    var asking = (HttpURLConnection) URI.create(url).toURL().openConnection();
    asking.setRequestProperty("Authorization", "Bearer " + token);
    asking.setRequestProperty("Content-Type", "application/json");
    asking.setDoOutput(true);
    asking.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    if (asking.getResponseCode() > 201) throw new IOException(url + " " + asking.getResponseCode());
    asking.getInputStream().readAllBytes();
  }

  private static void serve(Path project, PipedOutputStream to) {
    PrintStream out = new PrintStream(to, true, StandardCharsets.UTF_8);
    Map<String, String> env = Map.of("USER", "ada");
    Io io = new Io(InputStream.nullInputStream(), out, System.err, env, Io.Screen.PIPE);
    Door.run(new String[] {"serve", "--port", "0", "--json"}, io, new Wiring(env, project));
  }
}
