package dev.mainstay.app;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.trust.Standing;
import dev.mainstay.trust.Standing.Level;
import dev.mainstay.upkeep.Doctor.Finding;
import dev.mainstay.upkeep.Doctor.Health;
import dev.mainstay.upkeep.ForeignContent;
import dev.mainstay.upkeep.ForeignContent.Item;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a {@code .mainstay} folder would make Mainstay believe, and what the doctor says of it. */
final class FolderTrust {
  private static final int FILES_MAX = 1_000;

  private FolderTrust() {}

  static Finding finding(Standing standing) {
    if (standing.isTrusted()) return new Finding("Trust", Health.OK, "made here by you", "");
    boolean opens = standing.level() == Level.DATA;
    String advice =
        opens
            ? "see 'mainstay trust --show'; 'mainstay trust --all' believes what it lists"
            : "see 'mainstay trust --show'; a person opens it with 'mainstay trust'";
    return new Finding("Trust", opens ? Health.ADVICE : Health.BROKEN, standing.reason(), advice);
  }

  /** Lists settings, files and what the store holds, of which a copy is read. */
  static List<Item> list(Project project, StoreSettings settings) {
    List<Item> items = new ArrayList<>();
    Path folder = project.folder();
    if (Files.isRegularFile(project.configFile(), LinkOption.NOFOLLOW_LINKS)) {
      TomlFile.read(project.configFile())
          .forEach((name, value) -> items.add(new Item("setting", name + " = " + value)));
    }
    names(folder.resolve("providers")).forEach(name -> items.add(new Item("provider", name)));
    names(folder.resolve("agents")).forEach(name -> items.add(new Item("profile", name)));
    if (Files.isRegularFile(folder.resolve("token"), LinkOption.NOFOLLOW_LINKS)) {
      items.add(new Item("token", "the server's own, which is replaced by a new one"));
    }
    if (Files.isRegularFile(folder.resolve("repostate.json"), LinkOption.NOFOLLOW_LINKS)) {
      items.add(new Item("state", "repostate.json, from which an empty store begins"));
    }
    if (Files.isRegularFile(project.store(), LinkOption.NOFOLLOW_LINKS)) {
      items.addAll(ofStore(project.store(), settings));
    }
    return items;
  }

  private static List<String> names(Path folder) {
    List<String> names = new ArrayList<>();
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return names;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path each : files) {
        if (names.size() == FILES_MAX) break;
        names.add(String.valueOf(each.getFileName()));
      }
    } catch (IOException unreadable) {
      throw Refusal.unavailable(Phrase.of("%s cannot be read", folder), unreadable);
    }
    names.sort(null);
    return names;
  }

  /** Opening a store changes it, so a copy is opened. */
  private static List<Item> ofStore(Path store, StoreSettings settings) {
    try {
      Path copies = Files.createTempDirectory("mainstay-trust");
      Path copy = copies.resolve("state.sqlite3");
      try {
        for (String ending : List.of("", "-wal")) {
          Path file = store.resolveSibling(store.getFileName() + ending);
          if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.copy(file, copy.resolveSibling(copy.getFileName() + ending));
          }
        }
        try (Store opened = Store.open(new StoreAddress.File(copy), settings)) {
          return ForeignContent.list(opened);
        }
      } finally {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(copies)) {
          for (Path each : files) Files.delete(each);
        }
        Files.delete(copies);
      }
    } catch (IOException fault) {
      throw Refusal.unavailable(
          Phrase.of("the store %s cannot be read: %s", store, fault.getMessage()), fault);
    }
  }
}
