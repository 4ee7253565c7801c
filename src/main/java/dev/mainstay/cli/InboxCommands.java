package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Inbox.Acknowledged;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.terminal.NewMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay inbox ...}: what terminals say to each other. */
final class InboxCommands {
  private static final String AS_MEANS =
      "the terminal you are (default: MAINSTAY_TERMINAL, if it is set)";
  private static final String TEXT_MEANS = "what to say; - reads it from standard input";
  private static final int LINE_COLUMNS_MAX = 60;

  private InboxCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Send(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Pull(session))
        .addSubcommand(new Acknowledge(session))
        .addSubcommand(new Reply(session));
  }

  @CommandLine.Command(
      name = "inbox",
      synopsisSubcommandLabel = "COMMAND",
      description = "Send messages to terminals, take one's own and acknowledge them.",
      footer = {
        "",
        "Example:",
        "  mainstay inbox send dev-2 \"The API is ready\" --as dev-1",
        "  mainstay inbox pull --as dev-2"
      })
  private static final class Noun extends Command.Noun {}

  /** Commands that can be repeated safely under a key. */
  private abstract static class Keyed extends Command {
    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    Keyed(Session session) {
      super(session);
    }
  }

  /** Who acts: the terminal that was named, or the one whose environment this is. */
  private static @Nullable String terminal(Session session, @Nullable String named) {
    String own = session.io().env().getOrDefault("MAINSTAY_TERMINAL", "").strip();
    if (named == null) return own.isEmpty() ? null : own;
    if (own.isEmpty() || own.equals(named)) return named;
    throw Refusal.invalid(
        Phrase.of("you are %s (MAINSTAY_TERMINAL) and not %s; leave out --as", own, named));
  }

  private static String needed(Session session, @Nullable String named) {
    String terminal = terminal(session, named);
    if (terminal != null) return terminal;
    throw Refusal.invalid("whose inbox? Name the terminal by --as, or set MAINSTAY_TERMINAL");
  }

  private static String said(Session session, String text) {
    return text.equals("-") ? session.input("the message", text) : text;
  }

  @CommandLine.Command(
      name = "send",
      description = "Send a message to a terminal.",
      footer = {
        "",
        "Example:",
        "  mainstay inbox send dev-2 \"The API is ready\" --as dev-1",
        "  git diff | mainstay inbox send reviewer -"
      })
  private static final class Send extends Keyed {
    @Parameters(index = "0", paramLabel = "RECEIVER", description = "the terminal it is for")
    String receiver;

    @Parameters(index = "1", paramLabel = "TEXT", description = TEXT_MEANS)
    String text;

    @Option(
        names = "--as",
        paramLabel = "TERMINAL",
        description = "the terminal that says it (default: you)")
    @Nullable String as;

    Send(Session session) {
      super(session);
    }

    @Override
    int run() {
      String sender = as == null ? null : terminal(session, as);
      var wanted = new NewMessage(sender, receiver, said(session, text));
      Message sent =
          session.withExisting(db, house -> house.inbox().send(wanted, session.call(key)));
      if (json) session.json(sent.toJson());
      else session.print(sentence(sent));
      return ExitCodes.OK;
    }
  }

  private static String sentence(Message sent) {
    return Phrase.of(
        "message %d to %s waits to be pulled", sent.id(), Printable.line(sent.receiver()));
  }

  @CommandLine.Command(
      name = "list",
      description = "List messages that are not settled, of one terminal or of all.",
      footer = {"", "Example:", "  mainstay inbox list dev-2 --all"})
  private static final class ListAll extends Command {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "TERMINAL",
        description = "whose (default: MAINSTAY_TERMINAL's if it is set, else everybody's)")
    @Nullable String terminal;

    @Option(
        names = "--as",
        paramLabel = "TERMINAL",
        description = "the same as the argument, as in the other commands")
    @Nullable String as;

    @Option(names = "--all", description = "those that were delivered or failed as well")
    boolean all;

    @Option(names = "--after", paramLabel = "ID", description = "go on after this message")
    long after;

    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (terminal != null && as != null) {
        throw Refusal.invalid("name the terminal once: as the argument or by --as");
      }
      String whose = terminal == null ? terminal(session, as) : terminal;
      Filter filter = all ? Filter.ALL : Filter.OPEN;
      List<Message> found =
          session.withExisting(
              db, house -> house.inbox().list(whose, filter, after, Inbox.PAGE_MAX));
      if (json) session.json(messages(found));
      else if (found.isEmpty())
        session.note("no message waits; --all shows those that are settled");
      else session.print(table(found));
      if (found.size() == Inbox.PAGE_MAX) {
        session.note(Phrase.of("there may be more: --after %d", found.get(found.size() - 1).id()));
      }
      return ExitCodes.OK;
    }

    private List<String> table(List<Message> found) {
      Table table =
          new Table(session.columns(), "ID", "STATUS", "FROM", "TO", "TRIES", "SENT", "MESSAGE");
      for (Message each : found) {
        table.row(
            Long.toString(each.id()),
            each.standing().status().name(),
            Printable.line(each.sender()),
            Printable.line(each.receiver()),
            Integer.toString(each.standing().attempts()),
            TaskText.time(each.standing().moments().sentAt()),
            beginning(each));
      }
      return table.lines();
    }

    private static String beginning(Message message) {
      String reason = message.standing().reason();
      String shown = reason == null ? message.text() : "(" + reason + ") " + message.text();
      return Printable.fit(Printable.line(shown), LINE_COLUMNS_MAX);
    }
  }

  private static JsonObject messages(List<Message> found) {
    return JsonObject.of("messages", found.stream().map(Message::toJson).toList());
  }

  @CommandLine.Command(
      name = "pull",
      description = "Take a terminal's oldest messages; what is not acknowledged comes back.",
      footer = {"", "Example:", "  mainstay inbox pull --as dev-2 --limit 5"})
  private static final class Pull extends Keyed {
    @Option(names = "--as", paramLabel = "TERMINAL", description = AS_MEANS)
    @Nullable String as;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "10",
        description = "at most so many (default: ${DEFAULT-VALUE})")
    int limit;

    @Option(
        names = "--lease",
        paramLabel = "SECONDS",
        description = "come back after so long (default: 300)")
    @Nullable Integer lease;

    Pull(Session session) {
      super(session);
    }

    @Override
    int run() {
      String terminal = needed(session, as);
      Duration length = lease == null ? Inbox.LEASE : Duration.ofSeconds(lease);
      List<Message> pulled =
          session.withExisting(
              db, house -> house.inbox().pull(terminal, limit, length, session.call(key)));
      if (json) session.json(messages(pulled));
      else if (pulled.isEmpty()) session.note("no message for " + Printable.line(terminal));
      else session.print(lines(terminal, pulled));
      return ExitCodes.OK;
    }

    private static List<String> lines(String terminal, List<Message> pulled) {
      List<String> lines = new ArrayList<>();
      StringBuilder ids = new StringBuilder();
      for (Message each : pulled) {
        lines.add(
            Phrase.of(
                "message %d from %s, %s",
                each.id(),
                Printable.line(each.sender()),
                TaskText.time(each.standing().moments().sentAt())));
        for (String line : Printable.text(each.text()).lines().toList()) lines.add("  " + line);
        ids.append(' ').append(each.id());
      }
      lines.add(Phrase.of("then: mainstay inbox ack%s --as %s", ids, Printable.line(terminal)));
      return lines;
    }
  }

  @CommandLine.Command(
      name = "ack",
      description = "Acknowledge messages that were pulled.",
      footer = {"", "Example:", "  mainstay inbox ack 3 4 --as dev-2"})
  private static final class Acknowledge extends Keyed {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "the messages' numbers")
    List<Long> ids = List.of();

    @Option(names = "--as", paramLabel = "TERMINAL", description = AS_MEANS)
    @Nullable String as;

    Acknowledge(Session session) {
      super(session);
    }

    @Override
    int run() {
      String terminal = needed(session, as);
      Acknowledged done =
          session.withExisting(
              db, house -> house.inbox().acknowledge(terminal, ids, session.call(key)));
      if (json) {
        session.json(done.toJson());
        return ExitCodes.OK;
      }
      for (long id : done.now()) session.print(Phrase.of("message %d is delivered", id));
      for (long id : done.before()) {
        session.print(Phrase.of("message %d was acknowledged before; nothing changed", id));
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "reply",
      description =
          "Answer a message, to its sender; without a number, whoever started you as an agent.",
      footer = {
        "",
        "Example:",
        "  mainstay inbox reply 3 \"Thanks, I use it now\"",
        "  mainstay inbox reply \"The endpoints are done\""
      })
  private static final class Reply extends Keyed {
    @Parameters(
        arity = "1..2",
        paramLabel = "[ID] TEXT",
        hideParamSyntax = true,
        description = "the message's number, if it is one that is answered, and what to say")
    List<String> words = List.of();

    Reply(Session session) {
      super(session);
    }

    @Override
    int run() {
      String said = said(session, words.get(words.size() - 1));
      Message sent =
          session.withExisting(
              db, house -> words.size() == 1 ? reported(house, said) : answered(house, said));
      if (json) session.json(sent.toJson());
      else session.print(sentence(sent));
      return ExitCodes.OK;
    }

    private Message reported(House house, String said) {
      String own = terminal(session, null);
      if (own == null) {
        throw Refusal.invalid("which message do you answer? 'mainstay inbox reply ID TEXT'");
      }
      return house.inbox().report(own, said, session.call(key));
    }

    private Message answered(House house, String said) {
      String number = words.get(0);
      if (!number.matches("[0-9]{1,18}")) {
        throw Refusal.invalid(
            Phrase.of(
                "\"%s\" is not a message's number; 'mainstay inbox list' shows them", number));
      }
      long id = Long.parseLong(number);
      refuseOthers(house.inbox().show(id));
      return house.inbox().reply(id, said, session.call(key));
    }

    /** The answer is signed by whoever received the message, so nobody else answers by mistake. */
    private void refuseOthers(Message message) {
      String own = terminal(session, null);
      if (own == null || own.equals(message.receiver())) return;
      throw Refusal.invalid(
          Phrase.of(
              "message %d is for %s and you are %s; answer your own, or send one",
              message.id(), message.receiver(), own));
    }
  }
}
