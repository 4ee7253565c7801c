package dev.mainstay.terminal;

import dev.mainstay.calendar.Schedule;
import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Flow.Missed;
import dev.mainstay.domain.Flow.Timing;
import dev.mainstay.domain.Flow.Work;
import dev.mainstay.domain.FlowBody;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.FrontMatter;
import dev.mainstay.json.YamlFields;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A flow as markdown: fields above, the text for the agent below. Every fault is one sentence with
 * the file and the line.
 */
public final class FlowText {
  private static final String[] FIELDS = {
    "name", "schedule", "zone", "profile", "provider", "script", "missed", "variables"
  };

  /** What YAML itself takes for something else, unless it is quoted. */
  private static final Pattern UNQUOTED =
      Pattern.compile("(?m)^schedule:[ \\t]*([*@][^#\\r\\n]*?)[ \\t]*(?:#.*)?$");

  /**
   * Where a flow's text comes from.
   *
   * @param where how its faults name it, such as the file's path
   * @param folder in which its script is looked for
   * @param workDir in which its script and its agents work
   * @param zone of its schedule, if it names no other
   */
  public record Source(String where, String text, Path folder, Path workDir, ZoneId zone) {}

  private FlowText() {}

  public static NewFlow read(Source source) {
    refuseUnquoted(source);
    FrontMatter parts = FrontMatter.read(source.where(), source.text());
    YamlFields fields = parts.fields().only(FIELDS);
    Timing timing = timing(source, fields);
    Work work = work(source, fields, parts.body());
    String name =
        fields.at("name", () -> AgentProfile.name("a flow's name", fields.required("name")));
    return fields.at("variables", () -> new NewFlow(name, timing, work, source.workDir()));
  }

  private static void refuseUnquoted(Source source) {
    int end = source.text().indexOf("\n---");
    Matcher line = UNQUOTED.matcher(source.text().substring(0, Math.max(end, 0)));
    if (!line.find()) return;
    long number = source.text().substring(0, line.start()).lines().count() + 1;
    throw Refusal.invalid(
        Phrase.of(
            "%s:%d: put the schedule in quotes, as YAML takes it for something else: schedule: \"%s\"",
            source.where(), number, line.group(1)));
  }

  private static Timing timing(Source source, YamlFields fields) {
    String schedule = fields.required("schedule");
    String zone =
        fields.at("zone", () -> Schedule.zone(or(fields, "zone", source.zone().getId())).getId());
    Missed missed =
        fields.at("missed", () -> Missed.parse(or(fields, "missed", Missed.RUN.typed())));
    return fields.at(
        "schedule",
        () -> {
          Timing timing = new Timing(schedule, zone, missed);
          Schedule.of(timing);
          return timing;
        });
  }

  private static String or(YamlFields fields, String name, String otherwise) {
    String given = fields.text(name);
    return given == null ? otherwise : given;
  }

  private static Work work(Source source, YamlFields fields, String body) {
    String profile = fields.required("profile");
    JsonObject none = JsonObject.EMPTY;
    fields.at("profile", () -> new Work(profile, null, null, none, "x"));
    String provider = fields.text("provider");
    fields.at("provider", () -> new Work(profile, provider, null, none, "x"));
    String script = fields.at("script", () -> script(source, fields.text("script")));
    JsonObject variables = JsonObject.copyOf(fields.textsByName("variables"));
    fields.at("variables", () -> new Work(profile, provider, script, variables, "x"));
    return fields.at(
        "",
        () -> {
          FlowBody.names(body);
          return new Work(profile, provider, script, variables, body);
        });
  }

  /** The command line with the script's whole path, if it is a file beside the flow. */
  private static @Nullable String script(Source source, @Nullable String typed) {
    if (typed == null) return null;
    List<String> argv = new ArrayList<>(Argv.split(typed));
    Path file = beside(source.folder(), argv.get(0));
    if (Files.isRegularFile(file)) {
      if (!Files.isExecutable(file)) {
        throw Refusal.invalid(
            Phrase.of("the script %s may not be run; chmod +x %s allows it", argv.get(0), file));
      }
      argv.set(0, file.toString());
    } else if (argv.get(0).contains("/")) {
      throw Refusal.invalid(
          Phrase.of(
              "there is no file %s; a script's path is relative to the flow's own folder", file));
    }
    return Argv.join(argv);
  }

  /** The program of a script's command line, as far as it has a place. */
  static Path program(String script) {
    return beside(Path.of("/"), Argv.split(script).get(0));
  }

  private static Path beside(Path folder, String word) {
    try {
      return folder.toAbsolutePath().resolve(word).normalize();
    } catch (InvalidPathException broken) {
      throw Refusal.invalid(Phrase.of("\"%s\" is not a path; name another script", word));
    }
  }
}
