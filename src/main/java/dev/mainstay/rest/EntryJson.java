package dev.mainstay.rest;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Position;
import dev.mainstay.json.JsonText;
import org.jspecify.annotations.Nullable;

/** A journal entry as {@code mainstay journal --json} shows it. */
final class EntryJson {
  private EntryJson() {}

  static JsonObject write(JournalEntry entry, @Nullable Position position) {
    return JsonObject.of("seq", entry.seq(), "stream", entry.place().stream())
        .with("number", entry.place().number())
        .with("actor", entry.origin().actor())
        .with("source", entry.origin().source())
        .with("at", entry.origin().at())
        .with("kind", entry.content().kind())
        .with("payload", JsonText.object(entry.content().payload()))
        .with("previous_hash", entry.seal().previousHash())
        .with("hash", entry.seal().hash())
        .with("position", position);
  }
}
