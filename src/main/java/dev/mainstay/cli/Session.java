package dev.mainstay.cli;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentName;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskAlias;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.session.Places;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What every command has: the world outside, the product inside, and ways to answer. */
final class Session {
  private static final int INPUT_BYTES_MAX = JsonText.DOCUMENT_BYTES_MAX;

  private final Io io;
  private final Services services;
  private @Nullable House open;

  Session(Io io, Services services) {
    this.io = io;
    this.services = services;
  }

  Services services() {
    return services;
  }

  Io io() {
    return io;
  }

  int columns() {
    return io.screen().columns();
  }

  Call call(@Nullable String key) {
    Actor actor = Identity.of(io.env(), io.screen().isAttended().getAsBoolean());
    Call call = Call.by(actor, "cli").withKey(key);
    return shell(actor).map(session -> session.bound(null).fenced(call)).orElse(call);
  }

  /** The same about a task: in the shell of the session that holds it, under its fence. */
  Call call(@Nullable String key, @Nullable Long fence, TaskId task) {
    Call call = call(key).withFence(fence);
    House store = open;
    if (store == null || fence != null) return call;
    AgentSession session = shell(call.actor()).orElse(null);
    if (session == null || !store.tasks().show(task).status().isHeld()) return call;
    return session.fencedFor(task, call);
  }

  /** The agent's session in whose shell this command runs, if the store knows one. */
  private Optional<AgentSession> shell(Actor actor) {
    House store = open;
    if (store == null || !AgentName.around(io.env()).contains(actor.name())) {
      return Optional.empty();
    }
    String id = AgentName.session(actor.name(), io.env()).orElse(null);
    return store.sessions().ofShell(actor.name(), id, Places.around(services.workDir()));
  }

  <T> T with(@Nullable String db, Function<House, T> use) {
    try (House house = services.open(db)) {
      return used(house, use);
    }
  }

  <T> T withExisting(@Nullable String db, Function<House, T> use) {
    try (House house = services.openExisting(db)) {
      return used(house, use);
    }
  }

  private <T> T used(House house, Function<House, T> use) {
    House before = open;
    open = house;
    try {
      return use.apply(house);
    } catch (Refusal refused) {
      if (refused.isReserved()) house.noteRefused(call(null), refused);
      throw refused;
    } finally {
      open = before;
    }
  }

  /** The task that an argument means: an id, or an alias, for which the store is asked. */
  TaskId task(@Nullable String db, String named) {
    if (!TaskAlias.isOne(named.strip())) return TaskId.parse(named);
    return withExisting(db, house -> house.tasks().resolve(named));
  }

  void print(String text) {
    io.out().println(text);
  }

  void print(List<String> lines) {
    lines.forEach(io.out()::println);
  }

  void json(Object value) {
    io.out().println(JsonText.write(value));
  }

  /** A notice that is no part of the answer. */
  void note(String text) {
    io.err().println(text);
  }

  /** The text itself, or what standard input holds when it is "-". */
  @Nullable String textOrInput(String what, @Nullable String text) {
    return text != null && text.equals("-") ? input(what, text) : text;
  }

  /** A file's text, or standard input's for "-"; what is not UTF-8 is refused. */
  String input(String what, String source) {
    return text(what, inputBytes(what, source));
  }

  /** The same as it is, text or not. */
  byte[] inputBytes(String what, String source) {
    try {
      if (source.equals("-")) return read(io.in());
      try (InputStream file = Files.newInputStream(Path.of(source))) {
        return read(file);
      }
    } catch (NoSuchFileException missing) {
      throw Refusal.notFound("there is no file " + source + "; name one, or - for standard input");
    } catch (IOException fault) {
      throw Refusal.invalid(
          Phrase.of("%s cannot be read from %s: %s", what, source, fault.getMessage()));
    }
  }

  /** All of standard input as it is, text or not. */
  byte[] bytes() {
    try {
      return read(io.in());
    } catch (IOException fault) {
      throw Refusal.invalid("standard input cannot be read: " + fault.getMessage());
    }
  }

  private static byte[] read(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(in.readNBytes(INPUT_BYTES_MAX + 1));
    if (bytes.size() > INPUT_BYTES_MAX) {
      throw Refusal.tooLarge("the input is larger than 4 MiB; give a smaller one");
    }
    return bytes.toByteArray();
  }

  private static String text(String what, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes))
          .toString();
    } catch (CharacterCodingException malformed) {
      throw Refusal.invalid(what + " is not valid UTF-8; convert it, for example with iconv");
    }
  }
}
