package dev.mainstay.workspace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.eclipse.jgit.ignore.IgnoreNode;
import org.jspecify.annotations.Nullable;

/**
 * The ignore rules that hold in a folder: those of its own file, and around them those of the
 * folders it lies in. JGit matches; only the nesting is ours.
 */
final class IgnoreRules {
  static final String FILE_NAME = ".gitignore";
  static final int FILE_BYTES_MAX = 256 << 10;

  /**
   * The matcher backtracks for every star in a name: five of them in one line could keep a scan
   * busy for minutes per file. Such a line is taken for a comment.
   */
  private static final int STARS_MAX = 3;

  private static final String BYTE_ORDER_MARK = asBytes("\uFEFF");

  private final @Nullable IgnoreRules outer;
  private final String folder;
  private final int prefixChars;
  private final byte[] digest;
  private final IgnoreNode node = new IgnoreNode();

  IgnoreRules(@Nullable IgnoreRules outer, String folder, byte[] content) {
    this.outer = outer;
    this.folder = folder;
    this.prefixChars = folder.isEmpty() ? 0 : asBytes(folder).length() + 1;
    this.digest = Hasher.sha256().digest(content);
    try {
      node.parse(new ByteArrayInputStream(harmless(content).getBytes(StandardCharsets.UTF_8)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** These rules if they are the same, so that what they decided before still stands. */
  static IgnoreRules of(
      @Nullable IgnoreRules outer, String folder, byte[] content, @Nullable IgnoreRules before) {
    if (before != null
        && before.outer == outer
        && before.folder.equals(folder)
        && Arrays.equals(before.digest, Hasher.sha256().digest(content))) {
      return before;
    }
    return new IgnoreRules(outer, folder, content);
  }

  /** How many rules this file holds, those around it not counted. */
  int size() {
    return node.getRules().size();
  }

  private static String harmless(byte[] content) {
    String text = new String(content, StandardCharsets.ISO_8859_1);
    if (text.startsWith(BYTE_ORDER_MARK)) text = text.substring(BYTE_ORDER_MARK.length());
    return text.lines().filter(IgnoreRules::isHarmless).collect(Collectors.joining("\n"));
  }

  /** Git matches bytes, so that {@code ?} is half of an ä: every byte becomes a character. */
  private static String asBytes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == text.length()) return text;
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static boolean isHarmless(String line) {
    if (line.startsWith("#")) return true;
    for (String name : line.split("/")) {
      boolean anyFolders = name.equals("**"); // matched without going back
      if (!anyFolders && name.chars().filter(c -> c == '*').count() > STARS_MAX) return false;
    }
    return true;
  }

  /** The deepest file that has something to say decides, and in it the last line that matches. */
  boolean hide(String path, boolean isFolder) {
    String bytes = asBytes(path);
    for (IgnoreRules rules = this; rules != null; rules = rules.outer) {
      Boolean decided = rules.node.checkIgnored(bytes.substring(rules.prefixChars), isFolder);
      if (decided != null) return decided;
    }
    return false;
  }
}
