package dev.mainstay.upkeep;

import dev.mainstay.domain.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A file into which streams have left, read to its end and found whole. */
public record Archive(Path file, String sha256, Header header, List<Kept> streams) {

  public Archive {
    streams = List.copyOf(streams);
  }

  /** Of which store it is, from when, and how much is in it. */
  public record Header(String epoch, Instant at, long streams, long entries) {}

  /**
   * One stream in it: its last entry, a hash over the rows that hung on it, and the row it is
   * about, as far as people want to see it in a list.
   */
  public record Kept(String stream, long number, String hash, String rowsHash, JsonObject about) {}

  /** How the store names the file: its name and what must be in it. */
  public String name() {
    return file.getFileName() + " sha256:" + sha256;
  }
}
