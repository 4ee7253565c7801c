package dev.mainstay.context;

import dev.mainstay.render.Delimiters;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a conversation still knows of what it no longer sends: the archive, the summary of it, the
 * handover of the last renewal, and the one message that shows both.
 */
record Memory(Archive archive, Summary summary, String handover, @Nullable Slot slot) {
  static final Memory EMPTY = new Memory(Archive.EMPTY, Summary.EMPTY, "", null);
  static final String MESSAGE_ID = Message.OWN_ID + "earlier";

  /** Summaries take at most this share of the window. */
  static final int SUMMARY_WINDOW_PERCENT = 10;

  /** How the message may look: at most so large, counted so. */
  record Room(int summaryTokensMax, ToIntFunction<String> counter) {
    static Room within(int window, ToIntFunction<String> counter) {
      return new Room((int) ((long) window * SUMMARY_WINDOW_PERCENT / 100), counter);
    }
  }

  int tokens() {
    return slot == null ? 0 : slot.tokens();
  }

  List<Slot> slots() {
    return slot == null ? List.of() : List.of(slot);
  }

  /** With more in the archive and nothing else changed: originals of what is shown in part. */
  Memory keeping(Map<String, List<Message>> more) {
    return new Memory(archive.with(more), summary, handover, slot);
  }

  Memory drained() {
    return new Memory(Archive.EMPTY, summary, handover, slot);
  }

  Memory summing(Summary newSummary, Room room) {
    return showing(newSummary, handover, room);
  }

  Memory handedOver(Summary newSummary, String newHandover, Room room) {
    return showing(newSummary, newHandover, room);
  }

  private Memory showing(Summary newSummary, String newHandover, Room room) {
    var text = new StringBuilder();
    if (!newHandover.isBlank()) text.append(Delimiters.block("handover", newHandover));
    if (newSummary.messages() > 0) {
      String body = newSummary.text(room.summaryTokensMax(), room.counter());
      text.append(Delimiters.open("earlier")).append(body).append(Delimiters.close("earlier"));
    }
    if (text.isEmpty()) return new Memory(archive, newSummary, newHandover, null);
    Slot shown = Slot.of(Message.user(MESSAGE_ID, text.toString()), room.counter());
    return new Memory(archive, newSummary, newHandover, shown);
  }
}
