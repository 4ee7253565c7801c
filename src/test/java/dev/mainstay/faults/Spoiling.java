package dev.mainstay.faults;

import dev.mainstay.faults.Strace.Call;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What becomes of a system call, and of those after it. */
enum Spoiling {
  ERROR("error=EIO", false),
  FULL("error=ENOSPC", false),
  ERRORS("error=EIO", true),
  FULL_FOR_GOOD("error=ENOSPC", true),
  KILL("signal=KILL", false);

  /** The calls a command makes when nothing is spoilt, and the places at which it makes files. */
  record Course(List<Call> calls, Set<String> making) {}

  private static final Pattern RANDOM_NAME = Pattern.compile("\\.mainstay-[0-9a-f]{32}\\.tmp$");

  private final String what;
  private final boolean lasts;

  Spoiling(String what, boolean lasts) {
    this.what = what;
    this.lasts = lasts;
  }

  boolean kills() {
    return this == KILL;
  }

  /** A folder cannot be opened for reading while opening fails for good, so that is left out. */
  boolean suits(Call call) {
    return !lasts || !call.name().equals(Strace.OPEN) && !hasRandomName(call);
  }

  /** The options of strace that spoil this call of a command that takes this course. */
  List<String> options(Call call, Course course) {
    if (lasts) return forGood(call, course.calls());
    List<String> options = new ArrayList<>(List.of("-e", "trace=" + call.name()));
    if (call.name().equals(Strace.OPEN)) options.addAll(only(course.making()));
    options.addAll(
        List.of("-e", "inject=%s:%s:when=%d".formatted(call.name(), what, call.number())));
    return options;
  }

  /** From this call on, everything fails that would write to the files whose names are known. */
  private List<String> forGood(Call call, List<Call> all) {
    List<Call> known = all.stream().filter(this::suits).toList();
    Set<String> places = new LinkedHashSet<>();
    known.forEach(each -> places.add(each.place()));
    List<String> options = new ArrayList<>();
    options.addAll(List.of("-e", "trace=" + String.join(",", Strace.WRITING)));
    options.addAll(only(places));
    for (String name : Strace.WRITING) {
      long before =
          known.subList(0, known.indexOf(call)).stream()
              .filter(each -> each.name().equals(name) && each.thread().equals(call.thread()))
              .count();
      options.addAll(List.of("-e", "inject=%s:%s:when=%d+".formatted(name, what, before + 1)));
    }
    return options;
  }

  private static boolean hasRandomName(Call call) {
    return RANDOM_NAME.matcher(call.place()).find();
  }

  /** strace counts only what touches one of these. */
  static List<String> only(Set<String> places) {
    List<String> options = new ArrayList<>();
    for (String each : places) options.addAll(List.of("-P", each));
    return options;
  }
}
