package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The git program, to compare with; it reads no configuration but the repository's. */
final class Git {
  private final Path folder;

  private Git(Path folder) {
    this.folder = folder;
  }

  /** Skips the test where git is not installed. */
  static Git at(Path folder) {
    Git git = new Git(folder);
    boolean there = true;
    try {
      git.run("--version");
    } catch (IOException missing) {
      there = false;
    }
    assumeTrue(there, "git is not installed");
    return git;
  }

  static Git init(Path folder) throws IOException {
    Git git = at(folder);
    git.run("init", "-q");
    return git;
  }

  String run(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("GIT_"));
    environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
    environment.put("GIT_CONFIG_NOSYSTEM", "1");
    environment.put("XDG_CONFIG_HOME", "/nowhere");
    environment.put("HOME", "/nowhere");
    for (String who : List.of("AUTHOR", "COMMITTER")) {
      environment.put("GIT_" + who + "_NAME", "Ada");
      environment.put("GIT_" + who + "_EMAIL", "ada@example.org");
    }
    File errors = File.createTempFile("git", ".txt");
    try {
      Process process = builder.redirectError(errors).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      assertThat(code).as("%s: %s", command, Files.readString(errors.toPath())).isZero();
      return out;
    } catch (InterruptedException stop) {
      throw new IOException(stop);
    } finally {
      Files.delete(errors.toPath());
    }
  }

  /** What git shows: tracked or not ignored, and a regular file on the disk. */
  List<String> files() throws IOException {
    TreeSet<String> files = new TreeSet<>();
    String all = run("ls-files", "-z", "--cached", "--others", "--exclude-standard");
    for (String file : all.split("\0")) {
      boolean regular =
          Files.isRegularFile(folder.resolve(file), java.nio.file.LinkOption.NOFOLLOW_LINKS);
      if (!file.isEmpty() && regular) files.add(file);
    }
    return List.copyOf(files);
  }
}
