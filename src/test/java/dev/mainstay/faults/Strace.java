package dev.mainstay.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands under strace, which tells of their system calls and lets some of them fail. */
final class Strace {
  /** Whatever changes something on a disk, but for opening a file that is made by it. */
  static final List<String> WRITING =
      List.of(
          ("write writev pwrite64 pwritev fsync fdatasync sync_file_range ftruncate fallocate rename"
                  + " renameat renameat2 link linkat symlink symlinkat unlink unlinkat mkdir mkdirat"
                  + " rmdir chmod fchmod fchmodat")
              .split(" "));

  static final String OPEN = "openat";
  private static final Pattern ENTERED = Pattern.compile("(\\d+) +(\\w+)\\((.*)");
  private static final Pattern RESUMED = Pattern.compile("(\\d+) +<\\.\\.\\. (\\w+) resumed>.*");
  private static final Pattern PLACE = Pattern.compile("[<\"](/[^>\"]*)[>\"]");
  private static final String SPOILT = "(INJECTED)";

  private Strace() {}

  /**
   * A call, the how-manieth of its name in its thread: strace counts for each thread and each name.
   */
  record Call(String thread, String name, int number, String place, boolean makes) {}

  /** A command that ended, the calls it made in the project, and those of them that were spoilt. */
  record Traced(Product.Ended ended, List<Call> calls, List<Call> spoilt, boolean killed) {}

  /** Why nothing can be traced here; empty if it can. */
  static String missing() {
    try {
      var ended = Product.run(List.of("strace", "-f", "-o", "/dev/null", "true"), Path.of("."), "");
      return ended.exit() == 0 ? "" : "strace may not trace here: " + ended.err();
    } catch (Exception notThere) {
      return "strace is not installed";
    }
  }

  /** Runs a command; {@code how} has options of strace, and begins with what is traced. */
  static Traced run(List<String> how, List<String> command, Path project, String input)
      throws Exception {
    Path log = Files.createTempFile("mainstay-faults", ".strace");
    try {
      List<String> words = new ArrayList<>(List.of("strace", "-f", "-y"));
      // Quicker, as other calls are not stopped at; but then strace cannot send a signal.
      if (how.stream().noneMatch(each -> each.contains("signal="))) words.add("--seccomp-bpf");
      words.addAll(List.of("-s", "0", "-o", log.toString()));
      words.addAll(how);
      words.addAll(command);
      var ended = Product.run(words, project, input);
      return read(ended, log, project);
    } finally {
      Files.delete(log);
    }
  }

  private static Traced read(Product.Ended ended, Path log, Path project) throws IOException {
    Map<String, Integer> numbers = new HashMap<>();
    Map<String, Call> open = new HashMap<>();
    List<Call> calls = new ArrayList<>();
    List<Call> spoilt = new ArrayList<>();
    boolean killed = false;
    for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
      killed |= line.contains("+++ killed by SIGKILL");
      Matcher entered = ENTERED.matcher(line);
      Matcher resumed = RESUMED.matcher(line);
      Call call = null;
      if (entered.matches()) {
        String thread = entered.group(1);
        String name = entered.group(2);
        int number = numbers.merge(thread + name, 1, Integer::sum);
        String place = place(entered.group(3), project);
        call = new Call(thread, name, number, place, entered.group(3).contains("O_CREAT"));
        open.put(thread, call);
        if (!place.isEmpty()) calls.add(call);
      } else if (resumed.matches()) {
        call = open.get(resumed.group(1));
      }
      if (call != null && line.contains(SPOILT) && !call.place().isEmpty()) spoilt.add(call);
    }
    return new Traced(ended, calls, spoilt, killed);
  }

  /** The first path in the project that the call names; empty if it names none. */
  private static String place(String arguments, Path project) {
    String own = arguments.replaceFirst("^AT_FDCWD<[^>]*>", "");
    Matcher all = PLACE.matcher(own);
    while (all.find()) {
      if (all.group(1).startsWith(project.toString())) return all.group(1);
    }
    return "";
  }
}
