package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import java.util.List;

/**
 * What both sides should say after a merge, and what they now agree on. They differ only in the
 * items that clash.
 */
public record Merged(Items file, Items store, Items base, List<Clash> clashes, History history) {
  /**
   * What happened to the append-only history in the file: entries it alone has at the end, and the
   * numbers (from 1) of earlier entries that are no longer what they were.
   */
  public record History(List<JsonObject> appended, List<Integer> tampered) {
    public History {
      appended = List.copyOf(appended);
      tampered = List.copyOf(tampered);
    }
  }

  public Merged {
    clashes = List.copyOf(clashes);
  }

  public List<JsonObject> appended() {
    return history.appended();
  }

  public List<Integer> tampered() {
    return history.tampered();
  }
}
