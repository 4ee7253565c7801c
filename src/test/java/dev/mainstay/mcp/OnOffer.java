package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of the tools begin with: an offer over an empty store, and agents that call. */
abstract class OnOffer extends OnDatabase {
  @TempDir Path folder;
  StoreRooms rooms;
  Offer offer;
  private final AtomicInteger keys = new AtomicInteger();

  OnOffer(Databases database) {
    super(database);
  }

  @BeforeEach
  void openRooms() {
    rooms = new StoreRooms(store, folder);
    offer = new Offer(rooms);
  }

  @AfterEach
  void closeRooms() {
    rooms.close();
  }

  Guest claude(String connection) {
    return new Guest("claude-code", connection, null, folder, true);
  }

  Guest codex(String connection) {
    return new Guest("codex", connection, null, folder, true);
  }

  /** Calls a tool under a key of its own; the arguments are JSON with ' for ". */
  Reply call(Guest guest, String tool, String arguments) {
    return call(guest, "key-" + keys.incrementAndGet(), tool, arguments);
  }

  Reply call(Guest guest, @Nullable String key, String tool, String arguments) {
    JsonObject given = JsonText.object(arguments.replace('\'', '"'));
    Reply reply = tool(tool).doing().call(new Asking(guest, key, Asking.Line.NONE), given);
    boolean own = given.get("budget") instanceof Long number && number >= StateTool.BUDGET_MIN;
    assertThat(Portion.of(reply))
        .as(words(reply))
        .isLessThanOrEqualTo(own ? (int) given.number("budget") : Portion.REPLY_TOKENS_MAX);
    return reply;
  }

  Tool tool(String name) {
    return offer.tools().stream()
        .filter(tool -> tool.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** What the tool says; a refusal fails the test. */
  String said(Guest guest, String tool, String arguments) {
    Reply reply = call(guest, tool, arguments);
    assertThat(reply.isError()).as(words(reply)).isFalse();
    return words(reply);
  }

  /** The sentence of a refusal; anything else fails the test. */
  String refused(Guest guest, String tool, String arguments) {
    Reply reply = call(guest, tool, arguments);
    assertThat(reply.isError()).as(words(reply)).isTrue();
    return words(reply);
  }

  static String words(Reply reply) {
    return Portion.words(reply).strip();
  }

  TaskId task(String title) {
    return rooms.tasks().create(NewTask.titled(title), ADA).id();
  }
}
