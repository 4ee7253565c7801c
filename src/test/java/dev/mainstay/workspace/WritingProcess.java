package dev.mainstay.workspace;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A process of its own that writes files until it is killed, and says before each write that it
 * begins and after it that it is done. Arguments are the workspace, the writer's name, the number
 * before its first version, and whether it is hasty: then it says that it is done before it is. The
 * store lies in the workspace.
 */
final class WritingProcess {
  private static final int FILES = 6;
  private static final int SMALL_BYTES_MAX = 5_000;
  private static final int LARGE_BYTES = 1 << 20;

  private WritingProcess() {}

  /** A write: which version of which file, under which key if any. */
  record Attempt(String path, long version, @Nullable String key) {
    /** The number and length stand in the first line; all other bytes follow from the number. */
    byte[] content() {
      Random random = new Random(version * 31 + path.hashCode());
      int size = version % 11 == 0 ? LARGE_BYTES : 10 + random.nextInt(SMALL_BYTES_MAX);
      byte[] rest = new byte[size];
      random.nextBytes(rest);
      byte[] head = "%s %d %d\n".formatted(path, version, size).getBytes(US_ASCII);
      return ByteBuffer.allocate(head.length + size).put(head).put(rest).array();
    }

    FileWrites.Wanted wanted() {
      return new FileWrites.Wanted(new RepoPath(path), content(), null, null);
    }

    Call call() {
      return Call.by(Actor.agent("ada"), "test").withKey(key);
    }

    String line(String word) {
      return "%s %s %d %s\n".formatted(word, path, version, key == null ? "-" : key);
    }

    static Attempt of(String line) {
      String[] words = line.split(" ");
      return new Attempt(
          words[1], Long.parseLong(words[2]), words[3].equals("-") ? null : words[3]);
    }

    /** Some files keep their place; others lie in folders that each version makes anew. */
    static Attempt of(String writer, long version) {
      long number = version % FILES;
      String path =
          switch ((int) number) {
            case 0 -> "%s/in/folders/%d.txt".formatted(writer, number);
            case 1 -> "%s/new-%d/deep/%d.txt".formatted(writer, version / FILES % 200, number);
            default -> "%s-%d.txt".formatted(writer, number);
          };
      return new Attempt(path, version, version % 2 == 0 ? writer + "-" + version : null);
    }
  }

  static StoreAddress store(Path workspace) {
    return new StoreAddress.File(workspace.resolve(".mainstay/state.sqlite3"));
  }

  public static void main(String[] args) throws IOException {
    Path workspace = Path.of(args[0]);
    boolean hasty = Boolean.parseBoolean(args[3]);
    // System.out would hide that nobody reads any more.
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    out.write("ready\n".getBytes(US_ASCII));
    if (System.in.read() < 0) return; // the test is gone
    try (Store store = Store.open(store(workspace), StoreSettings.DEFAULT)) {
      Tracker tracker = Tracker.open(store, workspace);
      FileWrites writes = new FileWrites(tracker);
      for (long version = Long.parseLong(args[2]) + 1; ; version++) {
        Attempt attempt = Attempt.of(args[1], version);
        out.write(attempt.line("begin").getBytes(US_ASCII));
        if (hasty) out.write(attempt.line("done").getBytes(US_ASCII));
        writes.write(attempt.wanted(), attempt.call());
        if (!hasty) out.write(attempt.line("done").getBytes(US_ASCII));
        if (version % 5 == 0) tracker.setTasks(tasks(version), attempt.call().withKey(null));
        if (version % 7 == 0) tracker.scan();
      }
    }
  }

  private static List<OpenTask> tasks(long version) {
    return List.of(new OpenTask("write version " + version, OpenTask.Status.PENDING, 1));
  }
}
