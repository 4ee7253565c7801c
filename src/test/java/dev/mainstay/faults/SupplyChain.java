package dev.mainstay.faults;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;

/**
 * For {@code faults/supply}: the bill of materials names exactly the jars whose files are in the
 * shaded jar, each with the hash of the jar that was used. Prints what is not so; nothing if all
 * is.
 */
public final class SupplyChain {
  /** Another code than a crash has: what broke off has found nothing out. */
  private static final int FOUND = 3;

  private SupplyChain() {}

  /** Arguments: the shaded jar, the bill as JSON, our own classes, the class path of the build. */
  public static void main(String[] args) throws IOException {
    List<String> problems = check(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]), args[3]);
    problems.forEach(System.out::println);
    System.exit(problems.isEmpty() ? 0 : FOUND);
  }

  static List<String> check(Path shaded, Path bill, Path own, String classPath) throws IOException {
    List<String> problems = new ArrayList<>();
    Map<String, Path> byHash = new HashMap<>();
    for (String each : classPath.split(":")) {
      if (each.endsWith(".jar")) byHash.put(sha256(Path.of(each)), Path.of(each));
    }
    Set<String> unexplained = new TreeSet<>(entries(shaded));
    Set<String> all = Set.copyOf(unexplained);
    try (var files = Files.walk(own)) {
      files.forEach(file -> unexplained.remove(own.relativize(file).toString()));
    }
    for (JsonObject component : JsonText.object(Files.readString(bill)).objects("components")) {
      String name = component.text("name") + " " + component.text("version");
      Path jar = byHash.get(hash(component));
      if (jar == null) {
        problems.add(name + " is in the bill, and no jar of the build has its hash");
        continue;
      }
      Set<String> inside = new HashSet<>(entries(jar));
      boolean shows = inside.stream().anyMatch(all::contains);
      if (!shows) problems.add(name + " is in the bill and nothing of it in the jar");
      unexplained.removeAll(inside);
    }
    unexplained.removeIf(entry -> entry.startsWith("META-INF/"));
    for (String entry : unexplained)
      problems.add(entry + " is in the jar and of nothing in the bill");
    return problems;
  }

  private static String hash(JsonObject component) {
    for (JsonObject hash : component.objects("hashes")) {
      if (hash.text("alg").equals("SHA-256")) return hash.text("content");
    }
    return "";
  }

  private static List<String> entries(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .filter(entry -> !entry.isDirectory())
          .map(entry -> entry.getName())
          .toList();
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
