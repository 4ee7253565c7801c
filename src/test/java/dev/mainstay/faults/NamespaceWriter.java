package dev.mainstay.faults;

import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Two writers in a network of their own. Asked with a line how it stands, it says how much was
 * acknowledged, how often it was told that the store was away, and how many commits nobody knew the
 * end of; told to end, it names the tasks that it made and what went wrong.
 */
final class NamespaceWriter {
  private static final Duration NO_PATIENCE = Duration.ofNanos(1);

  private NamespaceWriter() {}

  public static void main(String[] args) throws Exception {
    var settings = StoreSettings.DEFAULT.withPatience(NO_PATIENCE);
    try (Store store = Store.open(StoreAddress.parse(args[0]), settings);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Writers writers = new Writers();
      for (int i = 0; i < 2; i++) {
        writers.begin(new AskingWriter("there-" + i, store, AskingWriter.Habit.valueOf(args[1])));
      }
      for (String line; (line = in.readLine()) != null && !line.equals("end"); ) {
        System.out.printf("%d %d %d%n", writers.done(), writers.unheard(), writers.unknown());
      }
      writers.end();
      for (AskingWriter each : writers.all()) each.titles().forEach(System.out::println);
      writers.wrongs().forEach(wrong -> System.out.println("wrong " + wrong));
    }
  }
}
