package dev.mainstay.upkeep;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks at everything Mainstay depends on and says what to do about each finding. */
public final class Doctor {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long FREE_BYTES_MIN = 256L * 1024 * 1024;
  private static final int JAVA_NEWEST_HELPFUL = 25;

  /** How a thing is. Only BROKEN makes the doctor's exit code 1. */
  public enum Health {
    OK,
    ADVICE,
    BROKEN
  }

  /** One thing that was looked at. */
  public record Finding(String what, Health health, String found, String advice) {}

  /** The files by which an agent in this project knows of Mainstay. */
  private static final Map<String, List<String>> WIRINGS =
      Map.of(
          "Claude Code", List.of(".mcp.json"),
          "Codex", List.of(".codex/config.toml"),
          "Gemini CLI", List.of(".gemini/settings.json"),
          "opencode", List.of("opencode.json", "opencode.jsonc"));

  private final StoreAddress address;
  private final StoreSettings settings;
  private final Path project;
  private final List<Finding> findings = new ArrayList<>();

  private Doctor(StoreAddress address, StoreSettings settings, Path project) {
    this.address = address;
    this.settings = settings;
    this.project = project;
  }

  public static List<Finding> examine(StoreAddress address, StoreSettings settings, Path project) {
    Doctor doctor = new Doctor(address, settings, project);
    doctor.java();
    doctor.store();
    doctor.disk();
    doctor.program("tmux", "-V", "terminals need it: install tmux with your package manager");
    doctor.program("git", "--version", "worktrees and file scans are better with it: install git");
    doctor.agents();
    doctor.hooks();
    return List.copyOf(doctor.findings);
  }

  private void java() {
    String version = System.getProperty("java.runtime.version", "unknown");
    int feature = Runtime.version().feature();
    if (feature >= JAVA_NEWEST_HELPFUL) ok("Java", version);
    else
      advise(
          "Java",
          version,
          "JDK 25 or newer starts commands faster; the launcher takes it when it is installed");
  }

  private void store() {
    if (address instanceof StoreAddress.File file && !Files.exists(file.path())) {
      advise("Store", "none yet at " + address.shown(), "'mainstay task create TITLE' makes it");
      return;
    }
    try (Store store = Store.open(address, settings)) {
      ok("Store", address.shown());
      chain(store);
    } catch (Refusal refused) {
      broken(
          "Store", refused.sentence(), "nothing was changed; the sentence above says what to do");
    }
  }

  private void chain(Store store) {
    var report = Verification.of(store);
    String size =
        Phrase.of(
            "%,d entries in %,d streams, %,d seals",
            report.entries(), report.streams(), report.seals());
    if (report.isClean()) ok("Chain", size);
    else {
      long problems = report.findings().size() + report.more();
      broken(
          "Chain",
          Phrase.of("%,d findings; %s", problems, size),
          "'mainstay verify' lists them; 'mainstay rebuild' makes a sound store beside this one");
    }
  }

  private void disk() {
    Path folder = project;
    if (address instanceof StoreAddress.File file) {
      folder = file.path().getParent();
      while (folder != null && !Files.isDirectory(folder)) folder = folder.getParent();
    }
    try {
      long free = Files.getFileStore(folder == null ? project : folder).getUsableSpace();
      String shown = Phrase.of("%,d MB free", free / (1024 * 1024));
      if (free >= FREE_BYTES_MIN) ok("Disk", shown);
      else broken("Disk", shown, "make room: below 256 MB a write may soon be refused");
    } catch (IOException fault) {
      broken("Disk", String.valueOf(fault.getMessage()), "check that the folder can be read");
    }
  }

  private void program(String name, String question, String advice) {
    var ended = Programs.run(List.of(name, question), PATIENCE);
    if (ended.isPresent() && ended.get().exit() == 0) ok(name, ended.get().output().strip());
    else advise(name, "not installed", advice);
  }

  private void agents() {
    List<String> wired = new ArrayList<>();
    for (var wiring : WIRINGS.entrySet()) {
      boolean found =
          wiring.getValue().stream().anyMatch(file -> mentionsMainstay(project.resolve(file)));
      if (found) wired.add(wiring.getKey());
    }
    if (!wired.isEmpty())
      ok("Agents", "wired: " + String.join(", ", wired.stream().sorted().toList()));
    else
      advise(
          "Agents", "none wired in " + project, "agents can call the 'mainstay' command as it is");
  }

  private void hooks() {
    HookLog log = new HookLog(project.resolve(".mainstay"));
    log.last()
        .ifPresentOrElse(
            fault ->
                advise(
                    "Hooks",
                    Phrase.of("the last fault was at %s: %s", fault.at(), fault.what()),
                    "agents went on without it; mend what the line says, then remove"
                        + " .mainstay/log/hooks.log"),
            () -> ok("Hooks", "no faults"));
  }

  private static boolean mentionsMainstay(Path file) {
    try {
      return Files.isRegularFile(file) && Files.readString(file).contains("mainstay");
    } catch (IOException unreadable) {
      return false;
    }
  }

  private void ok(String what, String found) {
    findings.add(new Finding(what, Health.OK, found, ""));
  }

  private void advise(String what, String found, String advice) {
    findings.add(new Finding(what, Health.ADVICE, found, advice));
  }

  private void broken(String what, String found, String advice) {
    findings.add(new Finding(what, Health.BROKEN, found, advice));
  }
}
