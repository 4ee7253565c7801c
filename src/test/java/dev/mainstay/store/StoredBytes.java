package dev.mainstay.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The bytes in which a database keeps the tables of one store, as they lie on the disk. */
public final class StoredBytes {
  private final Store store;
  private final StoreAddress address;

  private StoredBytes(Store store, StoreAddress address) {
    this.store = store;
    this.address = address;
  }

  public static StoredBytes of(Store store, StoreAddress address) {
    return new StoredBytes(store, address);
  }

  /** How many files have the text. */
  public long count(String text) {
    String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return files().stream().filter(file -> read(file).contains(bytes)).count();
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    if (address instanceof StoreAddress.File file) {
      // Never the -shm: closing it would end the locks of this process.
      files.add(file.path());
      Path log = file.path().resolveSibling(file.path().getFileName() + "-wal");
      if (Files.exists(log)) files.add(log);
      return files;
    }
    Path data = Path.of(Raw.texts(store, "SHOW data_directory", "data_directory").get(0));
    Raw.texts(
            store,
            """
            SELECT pg_relation_filepath(c.oid) AS file FROM pg_class c
            WHERE c.relkind IN ('r', 'i', 't') AND (c.relnamespace = current_schema()::regnamespace
              OR c.oid IN (SELECT reltoastrelid FROM pg_class t
                WHERE t.relnamespace = current_schema()::regnamespace))""",
            "file")
        .forEach(name -> files.add(data.resolve(name)));
    Raw.run(store, "CHECKPOINT");
    return files;
  }
}
