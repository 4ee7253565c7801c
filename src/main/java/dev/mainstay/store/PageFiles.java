package dev.mainstay.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files of SQLite that this process reads byte by byte. A process loses all of SQLite's locks on a
 * file when it closes any descriptor of it, so one that was opened stays open until no store of
 * this process uses the file any more.
 */
final class PageFiles {
  private static final Map<Path, PageFiles> USED = new HashMap<>();

  private int users;
  private @Nullable FileChannel channel;

  private PageFiles() {}

  static synchronized void use(Path database) {
    USED.computeIfAbsent(database, none -> new PageFiles()).users++;
  }

  static synchronized FileChannel open(Path database) throws IOException {
    PageFiles used = USED.get(database);
    if (used == null) throw new IOException(database + " is not in use");
    FileChannel open = used.channel;
    if (open == null) used.channel = open = FileChannel.open(database);
    return open;
  }

  /** After the last connection of this user was closed. */
  static synchronized void leave(Path database) {
    PageFiles used = USED.get(database);
    if (used == null || --used.users > 0) return;
    USED.remove(database);
    try {
      if (used.channel != null) used.channel.close();
    } catch (IOException closed) {
      return;
    }
  }
}
