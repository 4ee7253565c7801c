package dev.mainstay.app;

import dev.mainstay.domain.Phrase;
import dev.mainstay.upkeep.Doctor.Finding;
import dev.mainstay.upkeep.Doctor.Health;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the owner of the socket notes in {@code .mainstay/socket}, a line each, for launchers and
 * for the doctor.
 */
record SocketState(Path socket, String jar, long process, String version) {
  /** Much longer than a hook waits: a busy machine is no fault. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

  private static final Pattern PLACE = Pattern.compile(".*/mainstay(-[^/]*)?/[^/]*\\.sock");

  static Path file(Project project) {
    return project.folder().resolve("socket");
  }

  String lines() {
    return socket + "\n" + jar + "\n" + process + "\n" + version + "\n";
  }

  static Optional<SocketState> read(Project project) {
    try {
      List<String> lines = Files.readAllLines(file(project));
      return Optional.of(
          new SocketState(
              Path.of(lines.get(0)), lines.get(1), Long.parseLong(lines.get(2)), lines.get(3)));
    } catch (IOException | RuntimeException none) {
      return Optional.empty();
    }
  }

  private boolean isAlive() {
    return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
  }

  /** Who answers hooks without a JVM, and what waits for somebody to take it. */
  static List<Finding> examine(Project project) {
    Optional<SocketState> owner = read(project).filter(SocketState::isAlive);
    boolean answers =
        owner
            .filter(o -> o.isOurs(project) && SocketQuestion.isAnswered(o.socket(), ANSWER_LIMIT))
            .isPresent();
    String found =
        owner
            .map(o -> o.shown(answers))
            .orElse("nobody answers; each hook and command starts a JVM, which is fine");
    List<String> advice = new ArrayList<>();
    if (owner.isPresent() && !answers) {
      advice.add("see whether that process is stopped or overloaded; hooks do without it");
    }
    int waiting = Spool.of(project).waiting().size();
    if (waiting > 0) {
      found += Phrase.of("; %,d events of hooks wait", waiting);
      advice.add("the next hook of an agent, or 'mainstay prompt TASK', takes them");
    }
    Health health = advice.isEmpty() ? Health.OK : Health.ADVICE;
    return List.of(new Finding("Socket", health, found, String.join("; ", advice)));
  }

  /** A file of a repository could name any socket; those of others are not spoken to. */
  private boolean isOurs(Project project) {
    try {
      Object user = Files.getAttribute(project.folder(), "unix:uid");
      return PLACE.matcher(socket.toString()).matches()
          && user.equals(Files.getAttribute(socket, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    } catch (IOException gone) {
      return false;
    }
  }

  private String shown(boolean answers) {
    return answers
        ? Phrase.of("process %d answers, version %s", process, version)
        : Phrase.of("process %d listens and does not answer, version %s", process, version);
  }
}
