package dev.mainstay.workspace;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A workspace as an enemy would leave it, for whoever walks or opens one. It has a few plain files
 * that must be found ({@link #plain}), and around them links to the outside, loops, dangling links,
 * FIFOs, a socket, hard links, folders nested 300 deep, odd names, names that are no UTF-8, and a
 * sparse file of 10 GB. Outside lies a decoy whose text must never be seen and never change.
 *
 * <p>Each part can be made alone; {@link #everything} makes all. FIFOs and names that are no UTF-8
 * are made by programs of the system, because Java cannot.
 */
final class HostileTree {
  static final String SECRET = "outside: nobody may read or change this";
  static final int DEPTH = 300;
  static final long SPARSE_BYTES = 10L * 1024 * 1024 * 1024;

  /** Harmless to a file system, harmful to whoever prints, splits or globs them. */
  static final List<String> ODD_NAMES =
      List.of(
          "-rf",
          " leading and trailing ",
          "trailing.",
          "new\nline",
          "tab\tand\u001b[31mcolour",
          "quote'\"`$(reboot)",
          "*?[a-z]",
          "back\\slash",
          "\u202egpj.exe",
          "zero\u200bwidth",
          "~",
          "nul.txt",
          "\u00e9-composed",
          "x".repeat(255));

  /**
   * One name of each script that had its troubles: with marks, with case rules of its own, wide.
   */
  static final List<String> SCRIPTS =
      List.of(
          "\u043f\u0440\u0438\u0432\u0435\u0442.txt", // Cyrillic
          "\u6587\u4ef6.txt", // Han
          "\u30d5\u30a1\u30a4\u30eb.txt", // Katakana
          "\u0645\u0644\u0641.txt", // Arabic
          "\u05e7\u05d5\u05d1\u05e5.txt", // Hebrew
          "\u0e44\u0e1f\u0e25\u0e4c.txt", // Thai
          "\u092b\u093c\u093e\u0907\u0932.txt", // Devanagari, a composition exclusion
          "\u03b1\u03c1\u03c7\u03b5\u03af\u03bf\u03c2.txt", // Greek, with a final sigma
          "\ud83d\ude80\ud83c\udf89.txt", // emoji
          "stra\u00dfe.txt", // sharp s
          "\u0131\u015f\u0131k.txt", // dotless i
          "e\u0301te\u0301.txt", // combining marks
          "\ud55c\uae00.txt"); // Hangul, composed

  private final Path root;
  private final Path outside;
  private final Map<String, String> plain = new TreeMap<>();

  private HostileTree(Path root, Path outside) {
    this.root = root;
    this.outside = outside;
  }

  /** A workspace and the outside beside it, both new folders in {@code folder}. */
  static HostileTree in(Path folder) throws IOException {
    HostileTree tree =
        new HostileTree(
            Files.createDirectories(folder.resolve("work")),
            Files.createDirectories(folder.resolve("outside")));
    Files.writeString(tree.outside.resolve("decoy.txt"), SECRET);
    Files.createDirectories(tree.outside.resolve("sub"));
    Files.writeString(tree.outside.resolve("sub/decoy.txt"), SECRET);
    tree.plain("decoy.txt", "inside");
    tree.plain("src/decoy.txt", "inside, too");
    return tree;
  }

  HostileTree everything() throws IOException, InterruptedException {
    return links().loops().pipes().socket().hardLinks().deep().names().sparse();
  }

  Path root() {
    return root;
  }

  Path outside() {
    return outside;
  }

  /** Path and content of every plain file that has one name, an ordinary size and UTF-8. */
  Map<String, String> plain() {
    return Map.copyOf(plain);
  }

  private void plain(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    plain.put(path, content);
  }

  /** To files, folders, nothing, and to the workspace's own parent. */
  HostileTree links() throws IOException {
    link("link-to-file", outside.resolve("decoy.txt"));
    link("link-to-folder", outside);
    link("link-up", Path.of(".."));
    link("link-inside", Path.of("src"));
    link("link-dangling", Path.of("no-such-file"));
    link("src/link-to-file", outside.resolve("decoy.txt"));
    return this;
  }

  HostileTree loops() throws IOException {
    link("loop-self", Path.of("loop-self"));
    link("loop-here", Path.of("."));
    link("loop-a", Path.of("loop-b"));
    link("loop-b", Path.of("loop-a"));
    link("src/loop-up", Path.of("../src"));
    return this;
  }

  private void link(String name, Path target) throws IOException {
    Files.createSymbolicLink(root.resolve(name), target);
  }

  HostileTree pipes() throws IOException, InterruptedException {
    run("mkfifo", root.resolve("pipe").toString(), root.resolve("src/pipe.txt").toString());
    return this;
  }

  /** Closing a socket leaves its file; a path too long for a socket's address has none. */
  HostileTree socket() throws IOException {
    Path place = root.resolve("socket");
    if (place.toString().length() > 100) return this;
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(place));
    }
    return this;
  }

  /** One file of two names inside, and one that is also a file outside. */
  HostileTree hardLinks() throws IOException {
    Path one = Files.writeString(root.resolve("hard-one"), "two names");
    Files.createLink(root.resolve("hard-two"), one);
    Files.createLink(root.resolve("hard-outside"), outside.resolve("decoy.txt"));
    return this;
  }

  HostileTree deep() throws IOException {
    List<String> names = new ArrayList<>();
    for (int level = 0; level < DEPTH; level++) names.add("d");
    Path bottom = Files.createDirectories(root.resolve("deep/" + String.join("/", names)));
    Files.writeString(bottom.resolve("bottom.txt"), "300 folders down");
    return this;
  }

  HostileTree names() throws IOException, InterruptedException {
    Path odd = Files.createDirectories(root.resolve("odd"));
    for (String name : ODD_NAMES) Files.writeString(odd.resolve(name), "odd");
    for (String name : SCRIPTS) plain("scripts/" + name, "in its own script");
    run("sh", "-c", "printf x > \"$(printf 'no-utf8-\\377\\376')\"", odd.toString());
    return this;
  }

  HostileTree sparse() throws IOException {
    try (var file = new RandomAccessFile(root.resolve("sparse.bin").toFile(), "rw")) {
      file.setLength(SPARSE_BYTES);
    }
    return this;
  }

  /** Runs it in the folder that the last argument names, if that is one. */
  private static void run(String... argv) throws IOException, InterruptedException {
    Path last = Path.of(argv[argv.length - 1]);
    ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
    if (Files.isDirectory(last)) builder.directory(last.toFile());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) throw new IOException(argv[0] + " failed: " + said);
  }

  /** Every name and content below a folder, links as links: equal before and after, or touched. */
  static Map<String, String> fingerprint(Path folder) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (var all = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        String what = "something";
        if (Files.isSymbolicLink(each)) what = "link to " + Files.readSymbolicLink(each);
        else if (Files.isDirectory(each)) what = "folder";
        else if (Files.isRegularFile(each)) what = "file: " + Files.readString(each);
        found.put(folder.relativize(each).toString(), what);
      }
    }
    return found;
  }
}
