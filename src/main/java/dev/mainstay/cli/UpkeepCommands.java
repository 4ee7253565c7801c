package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.upkeep.Doctor;
import dev.mainstay.upkeep.ForeignContent;
import dev.mainstay.upkeep.Upkeep.Rebuilt;
import dev.mainstay.upkeep.Verification.Finding;
import dev.mainstay.upkeep.Verification.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that keep a store whole. */
final class UpkeepCommands {
  private UpkeepCommands() {}

  private static List<JsonObject> json(List<Finding> findings) {
    return findings.stream()
        .map(f -> JsonObject.of("where", f.where(), "problem", f.problem()))
        .toList();
  }

  @CommandLine.Command(
      name = "verify",
      description = {
        "Check the journal's chains and seals, and that tables and state files are as it says.",
        "Files of state directories are compared with how they were last in step with the store."
      },
      footer = {
        "",
        "Exit code 1 means that something is wrong with the store. Files that differ are told",
        "after it: an edit and damage look alike, and the store has what was there before.",
        "",
        "Example:",
        "  mainstay verify"
      })
  static final class Verify extends Command {
    Verify(Session session) {
      super(session);
    }

    @Override
    int run() {
      Looked looked = session.withExisting(db, house -> look(house));
      Report report = looked.report();
      if (json) {
        session.json(
            JsonObject.of(
                "ok",
                report.isClean(),
                "entries",
                report.entries(),
                "streams",
                report.streams(),
                "seals",
                report.seals(),
                "erased",
                report.erased(),
                "findings",
                json(report.findings()),
                "more",
                report.more(),
                "files",
                looked.files().stream().map(file -> file.toJson()).toList()));
      } else {
        print(report);
        looked.files().forEach(file -> session.print(Printable.line(file.toString())));
      }
      return report.isClean() ? ExitCodes.OK : ExitCodes.REFUSED;
    }

    private record Looked(Report report, List<dev.mainstay.directory.Finding> files) {}

    /** What a damaged store knows of files says nothing, and must not keep its damage from view. */
    private static Looked look(House house) {
      Report report = house.upkeep().verify();
      return new Looked(report, report.isClean() ? house.directories().changedFiles() : List.of());
    }

    private void print(Report report) {
      report.findings().forEach(f -> session.print(Printable.line(f.where() + ": " + f.problem())));
      if (report.more() > 0) session.print(Phrase.of("and %,d more", report.more()));
      session.print(report.sentence());
    }
  }

  @CommandLine.Command(
      name = "rebuild",
      description = "Make a new store of the journal, beside the old one, and say what differed.",
      footer = {"", "Example:", "  mainstay rebuild", "  mainstay rebuild --into rebuilt.sqlite3"})
  static final class Rebuild extends Command {
    @Option(
        names = "--into",
        paramLabel = "FILE|URL",
        description = "where the new store goes (default: beside the old one)")
    @Nullable String into;

    Rebuild(Session session) {
      super(session);
    }

    /** A database is named by whoever uses it; a file is where everybody looks for it. */
    private static String inItsPlace(String where) {
      if (where.startsWith("postgresql:")) return "";
      return Phrase.of(
          ". To put it in its place, move the old one away and run 'mainstay restore %s --all'",
          where);
    }

    @Override
    int run() {
      Rebuilt rebuilt = session.withExisting(db, house -> house.upkeep().rebuild(into));
      var result = rebuilt.result();
      if (json) {
        session.json(
            JsonObject.of(
                "into",
                rebuilt.where(),
                "tasks",
                result.tasks(),
                "differed",
                json(result.before().findings()),
                "kept",
                json(result.kept())));
        return ExitCodes.OK;
      }
      result
          .before()
          .findings()
          .forEach(
              f -> session.print(Printable.line("differed: " + f.where() + ": " + f.problem())));
      result
          .kept()
          .forEach(f -> session.print(Printable.line("kept: " + f.where() + ": " + f.problem())));
      session.print(
          Phrase.of(
              "rebuilt %,d tasks into %s; the old store was not touched; look at the new one with --db%s",
              result.tasks(), rebuilt.where(), inItsPlace(rebuilt.where())));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "backup",
      description =
          "Write a consistent, checked copy of the store to one file while others go on writing.",
      footer = {"", "Example:", "  mainstay backup before-upgrade.sqlite3"})
  static final class Backup extends Command {
    @Parameters(paramLabel = "FILE", description = "the file to write; it must not exist")
    Path file;

    Backup(Session session) {
      super(session);
    }

    @Override
    int run() {
      Path target = file.toAbsolutePath().normalize();
      String where =
          session.withExisting(
              db,
              house -> {
                house.upkeep().backup(target);
                return house.upkeep().where();
              });
      if (json) session.json(JsonObject.of("file", target, "store", where));
      else session.print(Phrase.of("backed up %s to %s", where, target));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "restore",
      description = {
        "Make a store of a backup, where none is yet; never over one that has entries.",
        "Tokens, binding orders, flows and triggers of a FILE are listed, and enter only with --all."
      },
      footer = {
        "",
        "A server, MCP or the end of a turn keeps a backup of the project's store in the user's state",
        "folder. When the store was deleted, nothing makes an empty one until a person has run this",
        "with --latest or --decline.",
        "",
        "Example:",
        "  mainstay restore before-upgrade.sqlite3 --db restored.sqlite3",
        "  mainstay restore --latest"
      })
  static final class Restore extends Entering {
    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "a file that 'mainstay backup' made")
    @Nullable Path file;

    @Option(names = "--latest", description = "the online backup of this project's deleted store")
    boolean latest;

    @Option(
        names = "--decline",
        description = "begin a new store instead; the backup is set aside for 30 days")
    boolean decline;

    Restore(Session session) {
      super(session);
    }

    @Override
    int run() {
      Path named = file;
      if ((named == null ? 0 : 1) + (latest ? 1 : 0) + (decline ? 1 : 0) != 1) {
        throw Refusal.invalid("name a backup file, or give --latest or --decline");
      }
      if (named == null) return online();
      return enter(
          "restore",
          all -> session.services().restore(named.toAbsolutePath().normalize(), db, all));
    }

    private int online() {
      if (session.call(null).actor().isAgent()) {
        throw Refusal.conflict(
            "only a person decides what becomes of a deleted store; ask one to run 'mainstay restore'");
      }
      if (decline) {
        int declined = session.services().declineBackups(db);
        if (json) session.json(JsonObject.of("declined", declined));
        else session.print("a new store was made; the backup is kept for 30 days");
        return ExitCodes.OK;
      }
      var saved = session.services().restoreLatest(db);
      String where = session.withExisting(db, house -> house.upkeep().where());
      if (json) session.json(JsonObject.of("store", where, "backup_at", saved.at()));
      else session.print(Phrase.of("restored %s from the backup of %s", where, saved.shownAt()));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "export",
      description = {
        "Write everything the store holds to one file of JSON lines, for another store to import.",
        "The same content gives the same file, whichever database holds it."
      },
      footer = {
        "",
        "The last line has the SHA-256 of all lines before it. The file holds what a backup holds:",
        "keep it as private as the store.",
        "",
        "Example:",
        "  mainstay export store.jsonl.gz",
        "  mainstay export - | gzip > store.jsonl.gz"
      })
  static final class Export extends Command {
    @Parameters(
        paramLabel = "FILE|-",
        description =
            "the file to write, compressed if it ends in .gz; it must not exist; - writes to standard output")
    String file;

    Export(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (file.equals("-")) {
        if (json) throw Refusal.invalid("--json and - both write to standard output; name a file");
        session.withExisting(db, house -> house.upkeep().export(session.io().out()));
        if (session.io().out().checkError()) {
          throw Refusal.unavailable(
              "standard output was closed before the end of the export", null);
        }
        return ExitCodes.OK;
      }
      Path target = Path.of(file).toAbsolutePath().normalize();
      var written = session.withExisting(db, house -> house.upkeep().export(target));
      if (json) {
        session.json(
            JsonObject.of("file", target, "rows", written.rows(), "entries", written.entries()));
      } else {
        session.print(
            Phrase.of(
                "exported %,d journal entries and %,d rows in all to %s",
                written.entries(), written.rows(), target));
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "import",
      description = {
        "Take in what 'mainstay export' wrote, into an empty store or where none is yet.",
        "Tokens, binding orders and flows in it are listed, and enter only with --all."
      },
      footer = {
        "",
        "A file that is damaged or breaks off is refused, and nothing of it is imported.",
        "",
        "Example:",
        "  mainstay import store.jsonl.gz --db postgresql://user@host/database --all"
      })
  static final class Import extends Entering {
    @Parameters(paramLabel = "FILE", description = "a file that 'mainstay export' wrote")
    Path file;

    Import(Session session) {
      super(session);
    }

    @Override
    int run() {
      return enter(
          "import",
          all -> session.services().importFrom(file.toAbsolutePath().normalize(), db, all));
    }
  }

  /** Commands by which rows from elsewhere become a store here. */
  abstract static class Entering extends Command {
    @Option(
        names = "--all",
        description = "with its tokens, binding orders, flows and triggers; for persons only")
    boolean all;

    Entering(Session session) {
      super(session);
    }

    final int enter(String command, Function<Boolean, List<ForeignContent.Item>> entering) {
      if (all) TrustCommand.refuseAgent(session);
      List<ForeignContent.Item> found = entering.apply(all);
      String where = session.withExisting(db, house -> house.upkeep().where());
      if (json) {
        session.json(
            JsonObject.of("store", where, all ? "believed" : "left_out", TrustCommand.json(found)));
        return ExitCodes.OK;
      }
      TrustCommand.print(session, found);
      if (!all && !found.isEmpty()) {
        session.note(
            Phrase.of("these were left out; 'mainstay %s FILE --all' takes them as well", command));
      }
      session.print((command.equals("restore") ? "restored " : "imported ") + where);
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "doctor",
      description =
          "Check Java, the store, the chain, the disk, tmux, git and the agents, and say what to do.",
      footer = {
        "",
        "Exit code 1 means that something is broken.",
        "",
        "Example:",
        "  mainstay doctor",
        "  mainstay doctor --config"
      })
  static final class Check extends Command {
    @Option(
        names = "--config",
        description = "show every setting, its value and where it came from")
    boolean config;

    Check(Session session) {
      super(session);
    }

    @Override
    int run() {
      return config ? settings() : examine();
    }

    private int settings() {
      var settings = session.services().settings(db);
      if (json) {
        session.json(
            settings.stream()
                .map(s -> JsonObject.of("key", s.key(), "value", s.value(), "origin", s.origin()))
                .toList());
      } else {
        Table table = new Table(session.columns(), "KEY", "VALUE", "FROM");
        settings.forEach(s -> table.row(s.key(), s.value(), s.origin()));
        session.print(table.lines());
      }
      return ExitCodes.OK;
    }

    private int examine() {
      List<Doctor.Finding> findings = session.services().examine(db);
      boolean broken = findings.stream().anyMatch(f -> f.health() == Doctor.Health.BROKEN);
      if (json) {
        session.json(
            findings.stream()
                .map(
                    f ->
                        JsonObject.of(
                            "what",
                            f.what(),
                            "health",
                            f.health(),
                            "found",
                            f.found(),
                            "advice",
                            f.advice()))
                .toList());
      } else {
        for (Doctor.Finding f : findings) {
          session.print(
              Phrase.of(
                  "%s %s %s",
                  mark(f.health()), Printable.pad(f.what(), 8), Printable.line(f.found())));
          if (!f.advice().isEmpty()) session.print("    " + f.advice());
        }
      }
      return broken ? ExitCodes.REFUSED : ExitCodes.OK;
    }

    private String mark(Doctor.Health health) {
      return switch (health) {
        case OK -> Colour.GREEN.on("ok    ", session.io().screen());
        case ADVICE -> Colour.YELLOW.on("advice", session.io().screen());
        case BROKEN -> Colour.RED.on("broken", session.io().screen());
      };
    }
  }
}
