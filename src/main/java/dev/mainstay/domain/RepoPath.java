package dev.mainstay.domain;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The place of a file in its workspace, from the workspace's folder downwards: {@code
 * src/main/App.java}. It cannot name anything outside, nor git's own files, nor Mainstay's.
 */
public record RepoPath(String value) implements Comparable<RepoPath> {
  public static final int PATH_CHARS_MAX = 4_096;
  public static final int NAME_BYTES_MAX = 255;
  public static final int DEPTH_MAX = 128;

  /** Folders that belong to git and to Mainstay; a case-blind disk makes no difference either. */
  private static final Set<String> OTHERS_FOLDERS = Set.of(".git", ".mainstay");

  /** Folders of agents, editors and hooks; the files that {@code init} writes lie in some. */
  private static final Set<String> CONFIGURATION_FOLDERS =
      Set.of(
          ".claude",
          ".claude-plugin",
          ".codex",
          ".gemini",
          ".qwen",
          ".opencode",
          ".cursor",
          ".kiro",
          ".windsurf",
          ".clinerules",
          ".continue",
          ".vscode",
          ".idea",
          ".devcontainer",
          ".husky");

  private static final Set<String> CONFIGURATION_FILES =
      Set.of(
          "agents.md",
          "agents.override.md",
          "claude.md",
          "claude.local.md",
          "gemini.md",
          "qwen.md",
          ".cursorrules",
          ".windsurfrules",
          ".mcp.json",
          "opencode.json",
          "opencode.jsonc",
          ".envrc",
          ".gitmodules",
          ".gitattributes",
          ".pre-commit-config.yaml");

  private static final Set<String> RUN_BY_GITHUB = Set.of("workflows", "actions", "hooks");

  public RepoPath {
    if (value.isEmpty()) throw Refusal.invalid("a path names a file; this one is empty");
    if (value.length() > PATH_CHARS_MAX) {
      throw Refusal.tooLarge(Phrase.of("a path has at most %,d characters", PATH_CHARS_MAX));
    }
    if (value.startsWith("/") || value.matches("[A-Za-z]:[/\\\\].*")) {
      throw refused(value, "is absolute; give it from the workspace's folder");
    }
    for (int i = 0; i < value.length(); ) {
      int c = value.codePointAt(i);
      if (Character.isISOControl(c) || isHidden(c)) {
        throw refused(value, "holds a control character");
      }
      i += Character.charCount(c);
    }
    List<String> names = List.of(value.split("/", -1));
    if (names.size() > DEPTH_MAX) {
      throw Refusal.tooLarge(Phrase.of("a path has at most %d folders", DEPTH_MAX));
    }
    for (String name : names) check(value, name);
  }

  private static void check(String path, String name) {
    if (name.isEmpty()) throw refused(path, "has an empty name between two slashes or at its end");
    if (name.equals("..") || name.equals(".")) {
      throw refused(path, "contains \"" + name + "\"; give the plain path below the workspace");
    }
    if (name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
      throw refused(path, Phrase.of("has a name of more than %d bytes", NAME_BYTES_MAX));
    }
    if (isOthers(name)) {
      throw refused(path, Phrase.of("lies in %s, which is not the workspace's", name));
    }
  }

  /** Whether a folder or file of this name belongs to git or Mainstay, however it is spelt. */
  public static boolean isOthers(String name) {
    return OTHERS_FOLDERS.contains(onAnyDisk(name));
  }

  /**
   * Whether the path is a file that configures an agent, an editor, git or a build service, which
   * then runs what the file says with the rights of the person. Hosts ask before their own tools
   * write there.
   */
  public boolean isConfiguration() {
    List<String> names = names().stream().map(RepoPath::onAnyDisk).toList();
    if (CONFIGURATION_FILES.contains(names.get(names.size() - 1))) return true;
    if (names.stream().limit(names.size() - 1L).anyMatch(CONFIGURATION_FOLDERS::contains)) {
      return true;
    }
    int github = names.indexOf(".github");
    return github >= 0
        && names.subList(github, names.size() - 1).stream().anyMatch(RUN_BY_GITHUB::contains);
  }

  /** The name that a disk without case, trailing dots, blanks and streams may take it for. */
  private static String onAnyDisk(String name) {
    String folded = folded(name);
    int stream = folded.indexOf(':');
    String plain = stream < 0 ? folded : folded.substring(0, stream);
    String trimmed = plain.replaceFirst("[. ]+$", "");
    return trimmed.equals("git~1") ? ".git" : trimmed;
  }

  /** Equal for names that a case-blind or normalising disk takes for the same. */
  public static String folded(String name) {
    if (name.chars().allMatch(c -> c < 128)) return name.toLowerCase(Locale.ROOT);
    String lower = Normalizer.normalize(name, Normalizer.Form.NFKC).toUpperCase(Locale.ROOT);
    return Normalizer.normalize(lower.toLowerCase(Locale.ROOT), Normalizer.Form.NFKC);
  }

  /** Marks that nobody sees turn one name into another that looks the same. */
  private static boolean isHidden(int c) {
    int type = Character.getType(c);
    return type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }

  private static Refusal refused(String path, String why) {
    return Refusal.invalid(Phrase.of("the path \"%s\" %s", shown(path), why));
  }

  private static String shown(String path) {
    StringBuilder shown = new StringBuilder();
    path.codePoints()
        .limit(200)
        .forEach(
            c -> {
              boolean plain = !Character.isISOControl(c) && !isHidden(c);
              if (plain) shown.appendCodePoint(c);
              else shown.append(Phrase.of("\\u%04x", c));
            });
    return shown.toString();
  }

  /** The names from the workspace's folder to the file. */
  public List<String> names() {
    return List.of(value.split("/", -1));
  }

  /** The names of the folders it lies in, outermost first. */
  public List<String> folders() {
    List<String> names = names();
    return names.subList(0, names.size() - 1);
  }

  public String name() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  @Override
  public int compareTo(RepoPath other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
