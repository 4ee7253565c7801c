import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server of MCP on standard input and output, and its only client. */
final class McpChild implements AutoCloseable {
  private static final int SECONDS_MAX = 20;

  private final Process process;
  private final OutputStream in;
  private final BufferedReader out;
  private long id;

  McpChild(Path folder, Map<String, String> environment, List<String> argv) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(argv).directory(folder.toFile());
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("stderr").toFile()));
    process = builder.start();
    in = process.getOutputStream();
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Says hello, and returns what the server is. */
  JsonObject begin() throws IOException {
    JsonObject hello =
        ask(
            "initialize",
            JsonObject.of(
                "protocolVersion",
                "2025-06-18",
                "capabilities",
                JsonObject.EMPTY,
                "clientInfo",
                JsonObject.of("name", "bench", "version", "1")));
    send(JsonObject.of("jsonrpc", "2.0", "method", "notifications/initialized"));
    return hello;
  }

  /** The text of a tool's answer; a tool's own error is one here. */
  String call(String tool, JsonObject arguments) throws IOException {
    JsonObject result = ask("tools/call", JsonObject.of("name", tool, "arguments", arguments));
    String text = result.objects("content").get(0).text("text");
    if (Boolean.TRUE.equals(result.get("isError"))) throw new IOException(tool + ": " + text);
    return text;
  }

  JsonObject ask(String method, JsonObject params) throws IOException {
    long own = ++id;
    send(JsonObject.of("jsonrpc", "2.0", "id", own, "method", method, "params", params));
    while (true) {
      String line = out.readLine();
      if (line == null) throw new IOException("the server ended before it answered " + method);
      if (!line.startsWith("{")) continue; // some servers greet people on standard output
      JsonObject answer = JsonText.object(line);
      if (answer.has("method") || !answer.has("id") || answer.number("id") != own) continue;
      if (answer.has("error")) throw new IOException(method + ": " + answer.get("error"));
      return answer.object("result");
    }
  }

  private void send(JsonObject message) throws IOException {
    in.write((JsonText.write(message) + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** The processor time of the server and of all that it started and that still run. */
  double cpuMs() throws IOException {
    double sum = Cpu.of(process.pid());
    for (ProcessHandle each : process.descendants().toList()) sum += Cpu.of(each.pid());
    return sum;
  }

  /** The memory of the server and of all that it started, in bytes. */
  long residentBytes() throws IOException {
    long sum = resident(process.pid());
    for (ProcessHandle each : process.descendants().toList()) sum += resident(each.pid());
    return sum;
  }

  static long resident(long pid) throws IOException {
    Path status = Path.of("/proc", String.valueOf(pid), "status");
    if (!Files.exists(status)) return 0;
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1_024;
    }
    return 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
    List<ProcessHandle> started = process.descendants().toList();
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    started.forEach(ProcessHandle::destroyForcibly);
  }
}
