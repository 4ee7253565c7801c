package dev.mainstay.workspace;

import dev.mainstay.workspace.Folder.Around;
import dev.mainstay.workspace.Folder.Listing;
import dev.mainstay.workspace.Folder.Place;
import dev.mainstay.workspace.LeftOut.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One folder's part of a scan. A folder that is as it was is not listed again, and of its files
 * only the stat is asked; whatever differs is looked at from a descriptor of the folder.
 */
final class Visit implements Runnable {
  /** Files that one piece of work takes on, so that a large folder occupies all threads. */
  private static final int FILES_AT_ONCE = 512;

  private final Scan scan;
  private final Place place;
  private final @Nullable Folder known;
  private final Around around;
  private final Scan.@Nullable Wanted only;
  private volatile @Nullable Outcome outcome;

  Visit(Scan scan, Place place, @Nullable Folder known, Around around, Scan.@Nullable Wanted only) {
    this.scan = scan;
    this.place = place;
    this.known = known;
    this.around = around;
    this.only = only;
  }

  /** What came out; a visit without an outcome did not take place, and what was known stands. */
  sealed interface Outcome {
    /** There is no such folder. */
    record Gone() implements Outcome {}

    /** It is there, but could not be looked at. */
    record Unknown() implements Outcome {}

    /** Slots are filled while files are hashed; one that is empty in the end is of a file gone. */
    record Found(
        @Nullable Listing listing,
        AtomicReferenceArray<@Nullable Entry> files,
        List<Visit> visits,
        List<Folder> untouched)
        implements Outcome {}
  }

  Place place() {
    return place;
  }

  @Nullable Folder known() {
    return known;
  }

  @Nullable Outcome outcome() {
    return outcome;
  }

  @Override
  public void run() {
    if (scan.isOver()) {
      scan.leave(Reason.TIME, place.path());
      return;
    }
    Folder.State now = Folder.State.of(place.file(), scan.nowMicros());
    Listing listing = known == null ? null : known.listing();
    if (known != null && listing != null && only == null && isStill(listing, now)) {
      recheck(known, listing);
    } else {
      enter(now);
    }
  }

  private boolean isStill(Listing listing, Folder.@Nullable State now) {
    if (!listing.state().isStill(now) || !listing.isUnder(around, place.hidden())) return false;
    if (listing.ignoreFile() == null) return true;
    try {
      return listing.ignoreFile().isCurrent(lstat(place.file().resolve(IgnoreRules.FILE_NAME)));
    } catch (IOException gone) {
      return false;
    }
  }

  private static BasicFileAttributes lstat(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** The same names as before: only their stat is asked, by path, which opens nothing. */
  private void recheck(Folder folder, Listing listing) {
    List<Entry> before = folder.files();
    var slots = new AtomicReferenceArray<@Nullable Entry>(before.toArray(new Entry[0]));
    List<Visit> visits = new ArrayList<>(folder.folders().size());
    Around inner = new Around(listing.rules(), around.tracked());
    for (Folder each : folder.folders()) {
      visits.add(new Visit(scan, each.place(), each, inner, null));
    }
    outcome = new Outcome.Found(listing, slots, visits, List.of());
    visits.forEach(scan::add);
    for (int from = FILES_AT_ONCE; from < before.size(); from += FILES_AT_ONCE) {
      int start = from;
      scan.add(() -> recheck(before, slots, start));
    }
    recheck(before, slots, 0);
  }

  private void recheck(List<Entry> before, AtomicReferenceArray<@Nullable Entry> slots, int from) {
    int to = Math.min(from + FILES_AT_ONCE, before.size());
    scan.countLooked(to - from);
    List<Integer> differing = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Entry entry = before.get(i);
      try {
        BasicFileAttributes now = lstat(entry.file());
        if (!now.isRegularFile() || !scan.isCurrent(entry, now)) differing.add(i);
      } catch (IOException gone) {
        differing.add(i);
      }
    }
    if (!differing.isEmpty()) look(slots, differing);
  }

  /** Looks at files whose slots hold what was known or seen of them, from a descriptor. */
  private void look(AtomicReferenceArray<@Nullable Entry> slots, List<Integer> which) {
    try (SecureDirectoryStream<Path> folder = scan.open(place)) {
      for (int i : which) look(folder, slots, i);
    } catch (IOException away) {
      // The folder went away or was locked meanwhile: the next scan will tell.
      scan.leave(Reason.UNREADABLE, place.path());
    }
  }

  private void look(
      SecureDirectoryStream<Path> folder, AtomicReferenceArray<@Nullable Entry> slots, int i) {
    Entry seen = slots.get(i);
    if (seen == null) return;
    Path name = Path.of(seen.name());
    try {
      BasicFileAttributes now = Scan.stat(folder, name);
      boolean none = !now.isRegularFile() || scan.isNever(seen.path(), now);
      if (none) slots.set(i, null);
      else if (!scan.isCurrent(seen, now)) slots.set(i, scan.look(folder, seen, now, name));
    } catch (NoSuchFileException gone) {
      slots.set(i, null);
    } catch (IOException unreadable) {
      scan.leave(Reason.UNREADABLE, seen.path());
    }
  }

  private void enter(Folder.@Nullable State now) {
    try (SecureDirectoryStream<Path> folder = scan.open(place)) {
      FolderListing found = new FolderListing(scan, place, known, around, only);
      Listing listing = found.read(folder, now);
      List<Entry> seen = found.files();
      var slots = new AtomicReferenceArray<@Nullable Entry>(seen.toArray(new Entry[0]));
      List<Visit> visits = new ArrayList<>();
      found
          .folders()
          .forEach(
              below ->
                  visits.add(
                      new Visit(
                          scan, below.place(), below.known(), found.inner(), below.wanted())));
      outcome = new Outcome.Found(listing, slots, visits, found.untouchedFolders());
      visits.forEach(scan::add);
      List<Integer> differing = found.differing();
      for (int from = FILES_AT_ONCE; from < differing.size(); from += FILES_AT_ONCE) {
        int to = Math.min(from + FILES_AT_ONCE, differing.size());
        List<Integer> part = differing.subList(from, to);
        scan.add(() -> look(slots, part));
      }
      int here = Math.min(FILES_AT_ONCE, differing.size());
      for (int i : differing.subList(0, here)) look(folder, slots, i);
    } catch (NoSuchFileException | NotDirectoryException gone) {
      outcome = new Outcome.Gone();
    } catch (IOException closed) {
      failed(closed);
    }
  }

  /** A link in the place of the folder fails with the same exception as a locked door. */
  private void failed(IOException why) {
    try {
      if (!lstat(place.file()).isDirectory()) {
        outcome = new Outcome.Gone();
        return;
      }
    } catch (NoSuchFileException gone) {
      outcome = new Outcome.Gone();
      return;
    } catch (IOException unreadable) {
      why.addSuppressed(unreadable);
    }
    scan.leave(Reason.UNREADABLE, place.path());
    if (outcome == null) outcome = new Outcome.Unknown();
  }
}
