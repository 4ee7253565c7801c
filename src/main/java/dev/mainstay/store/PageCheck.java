package dev.mainstay.store;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.PageSums.Head;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds the pages of a SQLite file against their sums, some at a time, so that nobody who wants to
 * write waits long. A page whose sum nobody knew has one from then on.
 */
final class PageCheck {
  private static final int PAGES_AT_ONCE = 2_048;

  private final SqliteStore store;
  private final Path path;
  private final LogFrames log;
  private final Map<Integer, String> wrong = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  PageCheck(SqliteStore store) {
    this.store = store;
    this.path = PageSums.beside(store.file());
    this.log = new LogFrames(LogFrames.beside(store.file()));
  }

  /** What is wrong, in words. */
  List<String> problems() {
    if (Files.isSymbolicLink(path)) {
      problems.add(
          "the file "
              + path.getFileName()
              + " is a link, which is not followed, so its pages are not checked; remove the link");
      return problems;
    }
    if (!Files.exists(path)) return List.of();
    try {
      checkAll();
    } catch (IOException unreadable) {
      problems.add("its pages cannot be read: " + unreadable.getMessage());
    }
    if (wrong.isEmpty()) return problems;
    Map<Integer, String> tables = tables();
    wrong.forEach(
        (page, what) -> {
          String of = tables.containsKey(page) ? " (" + tables.get(page) + ")" : "";
          problems.add(Phrase.of("page %d%s %s", page, of, what));
        });
    return problems;
  }

  private void checkAll() throws IOException {
    LockFile lock = null;
    PageSums sums;
    try {
      lock = LockFile.open(store.lockFile());
      sums = PageSums.open(path);
    } catch (IOException readOnly) {
      if (lock != null) lock.close();
      lock = null;
      sums = PageSums.openToRead(path);
    }
    try {
      check(sums, lock);
    } finally {
      sums.close();
      if (lock != null) lock.close();
    }
  }

  private void check(PageSums sums, @Nullable LockFile lock) throws IOException {
    if (!inTurn(lock, () -> isSound(sums))) return;
    FileChannel file = PageFiles.open(store.file());
    for (int from = 1; from > 0; ) {
      int next = from;
      from = inTurn(lock, () -> checkSome(sums, file, next, lock != null));
    }
  }

  private interface Step<T> {
    T run() throws IOException;
  }

  private static <T> T inTurn(@Nullable LockFile lock, Step<T> step) throws IOException {
    if (lock == null) return step.run();
    lock.lock();
    try {
      return step.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean isSound(PageSums sums) throws IOException {
    if (sums.isDamaged()) {
      problems.add("the file " + path.getFileName() + " with the sums of its pages is damaged");
      return false;
    }
    checkCommits(sums.head());
    return true;
  }

  /** Commits that were counted here are in the file, or were once and are lost. */
  private void checkCommits(Head head) {
    long there = head.commits();
    try {
      there = store.reading(tx -> tx.meta().commits());
    } catch (Refusal unreadable) {
      problems.add("how many commits it has cannot be read");
    }
    if (there < head.commits()) lost(there + 1, head.commits());
    if (head.lostTo() > 0) lost(head.lostFrom(), head.lostTo());
  }

  private void lost(long from, long to) {
    problems.add(
        Phrase.of(
            "commits %d to %d were there and are lost: the log was damaged, or an older copy was put in place",
            from, to));
  }

  /** From one page on; gives the next one, 0 when there is none. */
  private int checkSome(PageSums sums, FileChannel file, int from, boolean canNote)
      throws IOException {
    Integer bytes = LogFrames.pageBytes(file);
    if (bytes == null) return 0; // SQLite says more about it
    log.read();
    Head head = sums.head();
    if (head.salts() != log.salts()) { // another program took the log into the file
      if (!canNote) return 0;
      sums.clear(head.of(log.salts(), LogFrames.BEGIN));
    }
    Map<Integer, Integer> inLog = log.pages();
    int count = Math.min(PAGES_AT_ONCE, all(sums, file, bytes) - from + 1);
    if (count <= 0) return 0;
    int[] known = sums.of(from, count);
    ByteBuffer buffer = ByteBuffer.allocate(count * bytes);
    long at = (from - 1L) * bytes;
    while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) > 0) {}
    int there = buffer.position() / bytes;
    for (int i = 0; i < count; i++) {
      int page = from + i;
      if (inLog.containsKey(page)) continue; // what is in the file will be replaced
      int sum = i < there ? LogFrames.sum(buffer.slice(i * bytes, bytes)) : 0;
      if (known[i] == 0 && sum != 0 && canNote) sums.put(page, sum);
      else if (known[i] != 0 && sum == 0) wrong.put(page, "is missing: the file is too short");
      else if (known[i] != 0 && known[i] != sum) wrong.put(page, "is not as Mainstay wrote it");
    }
    return from + count;
  }

  /** How many pages there are to be, by who knows best. */
  private int all(PageSums sums, FileChannel file, int bytes) throws IOException {
    if (log.databasePages() > 0) return log.databasePages();
    int said = LogFrames.pagesSaid(file);
    return said > 0 ? said : Math.max((int) (file.size() / bytes), sums.pages());
  }

  private Map<Integer, String> tables() {
    Map<Integer, String> tables = new HashMap<>();
    try {
      store.reading(
          tx -> {
            tx.sql("SELECT pageno, name FROM dbstat")
                .each(row -> tables.put(row.integer("pageno"), row.text("name")));
            return tables;
          });
    } catch (RuntimeException damaged) {
      return tables; // as far as it came
    }
    return tables;
  }
}
