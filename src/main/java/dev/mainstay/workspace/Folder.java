package dev.mainstay.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A folder as the index keeps it, with its files and folders sorted by path. Without a listing it
 * must be listed again. It never changes; a scan makes new ones where something differs.
 */
record Folder(Place place, @Nullable Listing listing, List<Entry> files, List<Folder> folders) {

  /**
   * Where a folder is. A hidden one is ignored by the rules, and entered only for what git tracks
   * in it.
   */
  record Place(String path, Path file, boolean hidden) {
    static Place root(Path root) {
      return new Place("", root, false);
    }

    Place folder(String name, boolean hidden) {
      return new Place(below(name), file.resolve(name), hidden);
    }

    /** The path of what has this name in here. */
    String below(String name) {
      return path.isEmpty() ? name : path + "/" + name;
    }

    String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    int depth() {
      return path.isEmpty() ? 0 : (int) path.chars().filter(c -> c == '/').count() + 1;
    }

    List<String> names() {
      return path.isEmpty() ? List.of() : List.of(path.split("/"));
    }
  }

  /** What decides about the content of a folder from outside of it. */
  record Around(@Nullable IgnoreRules rules, Tracked tracked) {}

  /**
   * How a folder was when it was listed. {@code hides} is set when rules kept something in it from
   * sight, for only then can the index of git bring something to light.
   */
  record Listing(
      State state,
      Around around,
      @Nullable IgnoreRules rules,
      @Nullable Read ignoreFile,
      boolean hides) {

    /** The rules of the folder's own file. */
    int ownRules() {
      return rules == null || rules == around.rules() ? 0 : rules.size();
    }

    boolean isUnder(Around now, boolean hidden) {
      boolean untouchedByIndex = !hides && !hidden;
      return now.rules() == around.rules()
          && (untouchedByIndex || now.tracked() == around.tracked());
    }
  }

  /** A small file that was read, how it was at that time. */
  record Read(Stamp stamp, long readMicros) {
    boolean isCurrent(BasicFileAttributes now) {
      return now.isRegularFile() && stamp.agrees(now) && stamp.isSettledAt(readMicros);
    }
  }

  /**
   * The times of a folder and its identity. The time of the last change of the inode is among them
   * where the system tells: unlike the other, unpacking an archive cannot set it back.
   */
  record State(Stamp stamp, long changedMicros, long listedMicros) {
    private static final String ATTRIBUTES = "unix:ctime,lastModifiedTime,fileKey,isDirectory";

    /** Null when there is no such folder, or it cannot be asked. */
    static @Nullable State of(Path folder, long nowMicros) {
      try {
        Map<String, Object> is =
            Files.readAttributes(folder, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        if (!Boolean.TRUE.equals(is.get("isDirectory"))) return null;
        Object key = Objects.requireNonNullElse(is.get("fileKey"), "");
        return new State(
            new Stamp(0, micros(is.get("lastModifiedTime")), key),
            micros(is.get("ctime")),
            nowMicros);
      } catch (IOException | IllegalArgumentException | UnsupportedOperationException unknown) {
        return null;
      }
    }

    private static long micros(@Nullable Object time) {
      return ((FileTime) Objects.requireNonNull(time)).to(TimeUnit.MICROSECONDS);
    }

    boolean isOf(BasicFileAttributes opened) {
      Stamp other = Stamp.of(opened);
      return stamp.agrees(new Stamp(0, other.modMicros(), other.key()));
    }

    /** Whether nothing came or went since, seen from a later look. */
    boolean isStill(@Nullable State now) {
      return now != null
          && stamp.agrees(now.stamp)
          && changedMicros == now.changedMicros
          && new Stamp(0, changedMicros, "").isSettledAt(listedMicros);
    }
  }

  static Folder empty(Place place) {
    return new Folder(place, null, List.of(), List.of());
  }

  Folder unlisted() {
    return listing == null ? this : new Folder(place, null, files, folders);
  }

  /** This folder and all below it. */
  void forEach(Consumer<Folder> visitor) {
    visitor.accept(this);
    for (Folder folder : folders) folder.forEach(visitor);
  }

  List<Entry> allFiles() {
    List<Entry> all = new ArrayList<>();
    forEach(folder -> all.addAll(folder.files));
    return all;
  }
}
