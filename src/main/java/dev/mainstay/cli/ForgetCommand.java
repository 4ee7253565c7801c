package dev.mainstay.cli;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.upkeep.Forgetting;
import dev.mainstay.upkeep.Forgetting.Report;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Erases a secret that slipped through. */
@CommandLine.Command(
    name = "forget",
    description = {
      "Erase a secret that slipped through from everything Mainstay keeps; for persons only.",
      "Without --apply it only tells where it stands."
    },
    footer = {
      "",
      "The secret is read from a file or from standard input, never from the command line, which",
      "shells remember; the end of the last line is no part of it. --at takes it from the journal.",
      "The chains still verify: an erased entry keeps its hash, and that it was erased is noted.",
      "The online backups of the store are removed. Backups that you made, archives, git, your shell",
      "and the agents' own logs are out of reach, as is the write-ahead log of a PostgreSQL server.",
      "Replace the secret in any case.",
      "",
      "Example:",
      "  mainstay forget -            (type the secret, Enter and Ctrl-D)",
      "  mainstay forget secret.txt --apply",
      "  mainstay forget --at T-001#7 --field decisions.0 --apply"
    })
final class ForgetCommand extends Command {
  private static final Pattern ENTRY = Pattern.compile("(\\S{1,200}?)[ ]?#([0-9]{1,15})");

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE|-",
      description = "a file that holds the secret, or - for standard input")
  @Nullable String source;

  @Option(
      names = "--at",
      paramLabel = "STREAM#N",
      description = "take it from an entry of the journal, such as T-001#7 or terminal/dev-1#3")
  @Nullable String at;

  @Option(
      names = "--field",
      paramLabel = "NAME.N",
      description = "with --at: where in its payload, such as title or decisions.0")
  @Nullable String field;

  @Option(names = "--apply", description = "do it")
  boolean apply;

  @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
  @Nullable String key;

  ForgetCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    if ((source == null) == (at == null)) {
      throw Refusal.invalid("name the secret by a file, by - or by --at, and only by one of them");
    }
    if ((at == null) != (field == null)) {
      throw Refusal.invalid("--at names an entry and --field where in it; give both");
    }
    Report report = session.withExisting(db, house -> report(house.forgetting()));
    if (json) session.json(report.toJson());
    else print(report);
    return !apply || report.isComplete() ? ExitCodes.OK : ExitCodes.REFUSED;
  }

  private Report report(Forgetting forgetting) {
    var call = session.call(key);
    String text = text(forgetting);
    return apply ? forgetting.apply(text, call) : forgetting.plan(text, call);
  }

  private String text(Forgetting forgetting) {
    if (at == null) return typed(String.valueOf(source));
    Matcher entry = ENTRY.matcher(at);
    if (!entry.matches()) {
      throw Refusal.invalid(
          Phrase.of("--at names an entry such as T-001#7, not \"%s\"; see 'mainstay journal'", at));
    }
    String stream = entry.group(1);
    return forgetting.textAt(
        stream.contains("/") ? stream : "task/" + stream,
        Long.parseLong(entry.group(2)),
        String.valueOf(field),
        session.call(null));
  }

  private String typed(String from) {
    if (session.call(null).actor().isAgent()) {
      throw Refusal.conflict(
              "only a person makes Mainstay forget something; ask one to run 'mainstay forget'")
          .reserved();
    }
    return session.input("the text to forget", from).replaceFirst("\\r?\\n\\z", "");
  }

  private void print(Report report) {
    var beyond = report.beyond();
    report
        .stood()
        .rows()
        .forEach((table, rows) -> session.print(Phrase.of("%s: %,d", table, rows)));
    if (!report.stood().cut().isEmpty()) {
      session.print("of these only its beginning, cut off: " + counts(report.stood().cut()));
    }
    if (report.stood().files() > 0) {
      session.print(Phrase.of("files of Mainstay: %,d", report.stood().files()));
    }
    if (!beyond.names().isEmpty()) {
      session.print("stays, as it is part of names: " + counts(beyond.names()));
    }
    beyond
        .files()
        .forEach(
            file -> session.print(Printable.line("stays in " + file + "; see to it yourself")));
    if (beyond.left() != null) {
      session.print(
          Printable.line(
              "old bytes may still be in the database's files: "
                  + beyond.left()
                  + "; repeat this command"));
    }
    session.print(last(report));
  }

  private static String counts(Map<String, Long> each) {
    return each.entrySet().stream()
        .map(one -> Phrase.of("%s (%,d)", one.getKey(), one.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String last(Report report) {
    if (report.isNothing()) return "it stands nowhere that Mainstay keeps";
    if (!report.applied()) return "nothing was changed; --apply erases it";
    return Phrase.of(
        "%s stands in its place now; replace the secret where it is used, and see to backups",
        report.mark());
  }
}
