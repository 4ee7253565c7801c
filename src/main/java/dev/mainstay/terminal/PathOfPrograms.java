package dev.mainstay.terminal;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Whether a program can be found where a window would look for it. */
final class PathOfPrograms {
  private PathOfPrograms() {}

  static void refuseMissing(String program, Map<String, String> environment) {
    String path = environment.get("PATH");
    if (path == null || program.contains("/")) return; // then the window itself will say so
    for (String folder : path.split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) return;
    }
    throw Refusal.invalid(
        Phrase.of("%s is not on the PATH; install it, or choose another provider", program));
  }
}
