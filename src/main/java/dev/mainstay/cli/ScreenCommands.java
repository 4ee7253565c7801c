package dev.mainstay.cli;

import dev.mainstay.domain.Argv;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.terminal.Capture;
import dev.mainstay.terminal.FollowListener;
import dev.mainstay.terminal.Key;
import dev.mainstay.terminal.Launches.Restored;
import dev.mainstay.terminal.OutputText;
import dev.mainstay.terminal.Screens.Mode;
import dev.mainstay.terminal.Typing.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code mainstay terminal} that touch windows of tmux. */
final class ScreenCommands {
  private ScreenCommands() {}

  /** Shows a terminal to the person who asks, or says how to. */
  static int attached(Session session, List<String> argv) {
    if (session.io().screen().isAttended().getAsBoolean() && session.io().screen().isTerminal()) {
      return session.services().show(argv) ? ExitCodes.OK : ExitCodes.REFUSED;
    }
    session.print(Argv.join(argv));
    return ExitCodes.OK;
  }

  /** Commands about one terminal. */
  private abstract static class OfTerminal extends Command {
    @Parameters(index = "0", paramLabel = "ID", description = "the terminal's id")
    String id;

    OfTerminal(Session session) {
      super(session);
    }
  }

  @CommandLine.Command(
      name = "send",
      description = "Type something into a terminal and press Enter; or press a key.",
      footer = {
        "",
        "What is typed is text and never a key: control characters are left out.",
        "",
        "Example:",
        "  mainstay terminal send developer-3fa2c1 \"Run the tests again.\"",
        "  mainstay terminal send developer-3fa2c1 --press Escape"
      })
  static final class Send extends OfTerminal {
    @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "- reads it")
    @Nullable String text;

    @Option(names = "--no-enter", description = "leave it on the prompt, unsent")
    boolean noEnter;

    @Option(
        names = "--press",
        paramLabel = "KEY",
        description = "a key in place of text: Enter, Escape, Tab, Up, Down, C-c and others")
    @Nullable String press;

    Send(Session session) {
      super(session);
    }

    @Override
    int run() {
      if ((text == null) == (press == null)) {
        throw Refusal.invalid("give a text to type, or a key with --press");
      }
      if (press != null) {
        Key key = Key.parse(press);
        session.withExisting(
            db,
            house -> {
              house.screens().press(id, key, session.call(null));
              return id;
            });
        if (json) session.json(JsonObject.of("terminal_id", id, "pressed", press));
        return ExitCodes.OK;
      }
      String typed = String.valueOf(session.textOrInput("the text", text));
      Outcome outcome =
          session.withExisting(
              db, house -> house.screens().send(id, typed, !noEnter, session.call(null)));
      if (json) session.json(JsonObject.of("terminal_id", id, "outcome", outcome.name()));
      else if (outcome == Outcome.UNCONFIRMED) {
        session.note(
            "it was typed, but nothing moved on the screen after Enter; 'mainstay terminal output "
                + Printable.line(id)
                + "' shows it");
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "output",
      description = "Print what a terminal shows, or what its agent said last.",
      footer = {
        "",
        "Example:",
        "  mainstay terminal output developer-3fa2c1 --last",
        "  mainstay terminal output developer-3fa2c1 --follow"
      })
  static final class Output extends OfTerminal {
    @Option(names = "--last", description = "what its agent said last, and nothing else")
    boolean last;

    @Option(names = "--lines", paramLabel = "N", description = "so many of its last lines alone")
    @Nullable Integer lines;

    @Option(names = "--escapes", description = "with its colours, for a terminal")
    boolean escapes;

    @Option(
        names = {"-f", "--follow"},
        description = "print what it prints from now on, until it ends")
    boolean follow;

    Output(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (follow && (last || lines != null)) {
        throw Refusal.invalid("--follow shows what comes; leave out --last and --lines");
      }
      if (lines != null && lines < 1) throw Refusal.invalid("--lines is a number above zero");
      if (follow) return followed();
      Capture wanted = lines == null ? Capture.full() : Capture.last(lines);
      Capture shown = escapes ? wanted.withEscapes() : wanted;
      String text =
          session.withExisting(
              db, house -> house.screens().output(id, last ? Mode.LAST : Mode.FULL, shown));
      if (json) session.json(JsonObject.of("terminal_id", id, "output", text));
      else if (!text.isEmpty()) session.print(escapes ? text : Printable.text(text));
      return ExitCodes.OK;
    }

    private int followed() {
      CountDownLatch ended = new CountDownLatch(1);
      return session.withExisting(
          db,
          house -> {
            var following = house.screens().follow(id, new Printer(ended));
            try {
              ended.await();
            } catch (InterruptedException stop) {
              Thread.currentThread().interrupt();
            } finally {
              following.close();
            }
            return ExitCodes.OK;
          });
    }

    /** A terminal's own bytes for a terminal, and plain lines for all else. */
    private final class Printer implements FollowListener {
      private final CountDownLatch ended;
      private final OutputText text = new OutputText(escapes);

      Printer(CountDownLatch ended) {
        this.ended = ended;
      }

      @Override
      public void output(byte[] bytes) {
        session.io().out().print(text.text(bytes));
        session.io().out().flush();
      }

      @Override
      public void missed(long bytes) {
        session.note(Phrase.of("%,d bytes were printed too fast to be shown", bytes));
      }

      @Override
      public void interrupted() {
        session.note("the connection to tmux was lost for a moment; something may be missing");
      }

      @Override
      public void ended() {
        ended.countDown();
      }
    }
  }

  @CommandLine.Command(
      name = "attach",
      description = "Look at a terminal and type into it yourself; elsewhere, print how to.",
      footer = {
        "",
        "Ctrl-b d leaves it again.",
        "",
        "Example:",
        "  mainstay terminal attach developer-3fa2c1"
      })
  static final class Attach extends OfTerminal {
    Attach(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<String> argv = session.withExisting(db, house -> house.screens().attach(id));
      if (json) {
        session.json(JsonObject.of("terminal_id", id, "command", argv));
        return ExitCodes.OK;
      }
      return attached(session, argv);
    }
  }

  @CommandLine.Command(
      name = "stop",
      description = "End terminals: their agents are asked to leave, and what they held goes back.",
      footer = {"", "Example:", "  mainstay terminal stop developer-3fa2c1"})
  static final class Stop extends Command {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "the terminals' ids")
    List<String> ids = List.of();

    Stop(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<Terminal> stopped =
          session.withExisting(
              db,
              house ->
                  ids.stream()
                      .map(each -> house.screens().stop(each, session.call(null)))
                      .toList());
      if (json)
        session.json(JsonObject.of("terminals", stopped.stream().map(Terminal::toJson).toList()));
      else {
        for (Terminal each : stopped) {
          String why = String.valueOf(each.seated().standing().why());
          session.print(
              Phrase.of("%s is over: %s", Printable.line(each.id()), Printable.line(why)));
        }
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "restore",
      description = "Make windows again that are gone, as after a restart of the machine.",
      footer = {
        "",
        "An agent goes on with its own conversation where its program can; else it begins anew.",
        "",
        "Example:",
        "  mainstay terminal restore --all",
        "  mainstay terminal restore developer-3fa2c1"
      })
  static final class Restore extends Command {
    @Parameters(arity = "0..*", paramLabel = "ID", description = "the terminals' ids")
    List<String> ids = List.of();

    @Option(names = "--session", paramLabel = "S", description = "all of a session that are gone")
    @Nullable String wanted;

    @Option(names = "--all", description = "all of this machine that are gone")
    boolean all;

    Restore(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (ids.isEmpty() && !all && wanted == null) {
        throw Refusal.invalid("name terminals to restore, or a --session, or give --all");
      }
      List<String> refused = new ArrayList<>();
      List<Restored> restored = session.withExisting(db, house -> restored(house, refused));
      if (json) {
        session.json(
            JsonObject.of(
                "terminals",
                restored.stream()
                    .map(each -> each.terminal().toJson().with("resumed", each.resumed()))
                    .toList(),
                "refused",
                refused));
      } else if (restored.isEmpty() && refused.isEmpty()) {
        session.note("no terminal is gone; 'mainstay terminal list' shows how they stand");
      } else {
        for (Restored each : restored) session.print(sentence(each));
        refused.forEach(each -> session.note(Printable.line(each)));
      }
      return refused.isEmpty() ? ExitCodes.OK : ExitCodes.REFUSED;
    }

    private static String sentence(Restored each) {
      String how = each.resumed() ? "goes on with its conversation" : "begins anew";
      // Whether a program of somebody's own can go on, nobody knows; it was told the id.
      if (each.terminal().provider().equals(Provider.ANY)) how = "is started again";
      return Phrase.of("%s %s", Printable.line(each.terminal().id()), how);
    }

    /** One that cannot be restored keeps no other from it. */
    private List<Restored> restored(House house, List<String> refused) {
      house.lookAtTerminals(); // after a restart of the machine nobody has noted yet what is gone
      List<String> named = new ArrayList<>(ids);
      if (all || wanted != null) {
        house.launches().restorable(wanted).forEach(each -> named.add(each.id()));
      }
      List<Restored> restored = new ArrayList<>();
      for (String each : named.stream().distinct().toList()) {
        try {
          restored.add(house.launches().restore(each, session.call(null)));
        } catch (Refusal refusal) {
          if (named.size() == 1) throw refusal;
          refused.add(Phrase.of("%s is not restored: %s", each, refusal.sentence()));
        }
      }
      return restored;
    }
  }

  @CommandLine.Command(
      name = "signal",
      description = "Say how an agent stands, as its hooks do; this wins over its screen.",
      footer = {"", "Example:", "  mainstay terminal signal developer-3fa2c1 finished"})
  static final class Signals extends OfTerminal {
    @Parameters(index = "1", paramLabel = "HOW", description = "working, asking or finished")
    String how;

    Signals(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<String> known =
          Stream.of(Signal.Kind.values())
              .map(each -> each.name().toLowerCase(Locale.ROOT))
              .toList();
      if (!known.contains(how)) {
        throw Refusal.invalid(
            Phrase.of("there is no signal \"%s\"; %s", how, Nearest.guess(how, known)));
      }
      Signal.Kind kind = Signal.Kind.valueOf(how.toUpperCase(Locale.ROOT));
      Terminal terminal =
          session.withExisting(db, house -> house.screens().signal(id, kind, session.call(null)));
      if (json) session.json(terminal.toJson());
      return ExitCodes.OK;
    }
  }
}
