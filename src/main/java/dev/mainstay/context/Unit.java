package dev.mainstay.context;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The least that can be taken away at once: a message, or a call with its results and whatever was
 * said in between. A unit is open while a result may still come.
 */
record Unit(List<Slot> slots, boolean open) {
  static List<Unit> of(List<Slot> history) {
    var answeredAt = new HashMap<String, Integer>();
    int lastAssistant = -1;
    for (int i = 0; i < history.size(); i++) {
      Message message = history.get(i).original();
      if (message.answers() != null) answeredAt.put(message.answers(), i);
      if (message.role() == Message.Role.ASSISTANT) lastAssistant = i;
    }
    var units = new ArrayList<Unit>();
    for (int start = 0; start < history.size(); ) {
      int end = end(history, start, answeredAt);
      // Once the assistant has gone on, a call without a result was given up.
      boolean open = start <= lastAssistant && lastAssistant < end;
      open = open && unanswered(history.get(lastAssistant).original(), answeredAt);
      if (open) end = history.size();
      units.add(new Unit(List.copyOf(history.subList(start, end)), open));
      start = end;
    }
    return units;
  }

  private static int end(List<Slot> history, int start, Map<String, Integer> answeredAt) {
    int end = start + 1;
    for (int i = start; i < end; i++) {
      for (var call : history.get(i).original().calls()) {
        end = Math.max(end, answeredAt.getOrDefault(call.id(), i) + 1);
      }
    }
    return end;
  }

  private static boolean unanswered(Message message, Map<String, Integer> answeredAt) {
    return message.calls().stream().anyMatch(call -> !answeredAt.containsKey(call.id()));
  }

  List<Message> originals() {
    return slots.stream().map(Slot::original).toList();
  }

  int tokens() {
    return slots.stream().mapToInt(Slot::tokens).sum();
  }

  boolean isNamedBy(Set<String> refs) {
    return slots.stream().anyMatch(slot -> slot.original().isNamedBy(refs));
  }
}
