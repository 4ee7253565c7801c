package dev.mainstay.domain;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What kind of file a name promises: a short name such as {@code go}, and words for a reader such
 * as {@code go source}.
 */
public record FileType(String name, String words) {
  private static final int EXTENSION_CHARS_MAX = 12;
  private static final FileType PLAIN = new FileType("file", "file");

  /** Whole names come before extensions: a go.mod is no "mod". */
  private static final Map<String, FileType> BY_NAME =
      table(
          """
      go.mod mod go module
      go.sum sum go checksums
      pom.xml xml maven project
      build.gradle gradle gradle build
      build.gradle.kts kts gradle build
      package.json json npm package
      package-lock.json json npm lock
      cargo.toml toml cargo package
      cargo.lock lock cargo lock
      pyproject.toml toml python project
      requirements.txt txt python requirements
      makefile make makefile
      dockerfile docker dockerfile
      .gitignore gitignore git ignore rules
      license license license
      """);

  private static final Map<String, FileType> BY_EXTENSION =
      table(
          """
      go go go source
      java java java source
      kt kt kotlin source
      scala scala scala source
      c c c source
      h h c header
      cc cc c++ source
      cpp cpp c++ source
      hpp hpp c++ header
      cs cs c# source
      rs rs rust source
      py py python source
      ipynb ipynb notebook
      rb rb ruby source
      php php php source
      js js javascript
      mjs mjs javascript
      jsx jsx javascript
      ts ts typescript
      tsx tsx typescript
      swift swift swift source
      sh sh shell script
      bash bash shell script
      sql sql sql
      html html html
      css css css
      scss scss css
      svg svg svg image
      png png png image
      jpg jpg jpeg image
      jpeg jpeg jpeg image
      gif gif gif image
      webp webp webp image
      pdf pdf pdf
      md md markdown
      rst rst text
      txt txt text
      json json json
      jsonl jsonl json lines
      yaml yaml yaml
      yml yml yaml
      toml toml toml
      xml xml xml
      ini ini settings
      cfg cfg settings
      conf conf settings
      properties properties settings
      csv csv table
      tsv tsv table
      proto proto protocol buffers
      bpmn bpmn bpmn workflow
      jar jar java archive
      zip zip archive
      gz gz archive
      lock lock lock file
      log log log
      """);

  public static FileType of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    FileType known = BY_NAME.get(name);
    if (known != null) return known;
    int dot = name.lastIndexOf('.');
    if (dot < 0 || dot == name.length() - 1) return PLAIN;
    String extension = name.substring(dot + 1);
    FileType usual = BY_EXTENSION.get(extension);
    if (usual != null) return usual;
    boolean plain =
        extension.length() <= EXTENSION_CHARS_MAX
            && extension.chars().allMatch(c -> c < 128 && Character.isLetterOrDigit(c));
    return plain ? new FileType(extension, extension + " file") : PLAIN;
  }

  /** Lines of: the key, the short name, the words. */
  private static Map<String, FileType> table(String lines) {
    Map<String, FileType> types = new HashMap<>();
    lines
        .lines()
        .map(line -> line.split(" ", 3))
        .forEach(parts -> types.put(parts[0], new FileType(parts[1], parts[2])));
    return Map.copyOf(types);
  }
}
