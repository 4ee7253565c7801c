package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.faults.ClassPath;
import dev.mainstay.json.JsonText;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of a server that the real launcher started. */
@Timeout(120)
class ServerLogTest {
  @TempDir Path temp;

  @Test
  void a_server_started_by_its_launcher_logs_each_request_as_json() throws Exception {
    Path log = temp.resolve("server.log");
    Process server = serve(log);
    try {
      BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
      String address = JsonText.object(out.readLine()).text("address");
      var request = HttpRequest.newBuilder(URI.create(address + "/health")).build();
      HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      while (requests(log).stream().noneMatch(line -> line.contains("/health"))) Pause.briefly();
    } finally {
      server.descendants().forEach(ProcessHandle::destroyForcibly);
      server.destroyForcibly().waitFor();
    }
    List<JsonObject> pairs = JsonText.object(requests(log).get(0)).objects("kvpList");
    assertThat(pairs.stream().flatMap(pair -> pair.asMap().keySet().stream()))
        .contains("method", "route", "path", "status", "micros", "caller");
  }

  private Process serve(Path log) throws IOException {
    Path lib = Files.createDirectories(temp.resolve("lib"));
    Path parts = Files.createDirectories(lib.resolve("sh"));
    Files.copy(Path.of("mainstay"), lib.resolve("mainstay"));
    try (Stream<Path> sources = Files.list(Path.of("src/main/sh"))) {
      for (Path part : sources.toList()) Files.copy(part, parts.resolve(part.getFileName()));
    }
    jar(lib.resolve("mainstay.jar"));
    Path project = Files.createDirectories(temp.resolve("project"));
    Files.createDirectories(project.resolve(".git"));
    String launcher = lib.resolve("mainstay").toString();
    var builder = new ProcessBuilder("sh", launcher, "serve", "--port", "0", "--json");
    builder.directory(project.toFile()).redirectError(log.toFile());
    builder.environment().clear();
    String home = Files.createDirectories(temp.resolve("home")).toString();
    builder.environment().putAll(Map.of("HOME", home, "PATH", "/usr/bin:/bin", "USER", "ada"));
    builder.environment().put("MAINSTAY_CACHE", "off");
    builder.environment().put("MAINSTAY_JAVA_HOME", System.getProperty("java.home"));
    return builder.start();
  }

  /** Stands for the product's jar: it names the class path of this test. */
  private static void jar(Path jar) throws IOException {
    String places =
        Stream.of(ClassPath.whole().split(File.pathSeparator))
            .map(place -> Path.of(place).toAbsolutePath().toUri().toString())
            .collect(Collectors.joining(" "));
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, places);
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }

  private static List<String> requests(Path log) throws IOException {
    return Files.readString(log)
        .lines()
        .filter(line -> line.startsWith("{") && line.endsWith("}"))
        .filter(line -> line.contains("\"message\":\"request\""))
        .toList();
  }
}
