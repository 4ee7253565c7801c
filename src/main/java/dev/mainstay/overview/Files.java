package dev.mainstay.overview;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.Touch;
import dev.mainstay.domain.TrackedFile;
import dev.mainstay.store.TouchTable.Found;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file that a task changed, as people are shown it. */
final class Files {
  private Files() {}

  static JsonObject json(Found found) {
    Touch touch = found.touch();
    TrackedFile now = found.now();
    boolean same = Objects.equals(touch.hash(), now == null ? null : now.seen().hash());
    return JsonObject.of("path", touch.path(), "workspace", found.workspace())
        .with("work_dir", found.workDir())
        .withAny("hash", touch.hash())
        .withAny("size", now == null || !same ? null : now.seen().stat().size())
        .with("change", change(touch, now))
        .with("is_current", same)
        .with("at", Times.write(touch.at()));
  }

  private static String change(Touch touch, @Nullable TrackedFile now) {
    if (touch.hash() == null) return "deleted";
    return now == null ? "modified" : now.status().name().toLowerCase(Locale.ROOT);
  }
}
