package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What callers were told by servers, to be held against the store afterwards. */
final class Deeds {
  /** The task that was made under a key. */
  final Map<String, String> made = new ConcurrentHashMap<>();

  /** Who was given a task with a fence, written as {@code T-001#3}. */
  final Map<String, String> held = new ConcurrentHashMap<>();

  /** Completions that were acknowledged, as task and fence. */
  final Set<String> completed = ConcurrentHashMap.newKeySet();

  final AtomicInteger cutOff = new AtomicInteger();
  final AtomicInteger refused = new AtomicInteger();
  private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();

  static String name(JsonObject task) {
    return task.text("id") + "#" + task.number("fence");
  }

  void made(String key, String id) {
    String before = made.putIfAbsent(key, id);
    if (before != null && !before.equals(id)) wrong(key + " made " + before + " and " + id);
  }

  void held(JsonObject task, String holder) {
    String before = held.putIfAbsent(name(task), holder);
    if (before != null) wrong(name(task) + " went to " + before + " and to " + holder);
  }

  void wrong(String sentence) {
    wrongs.add(sentence);
  }

  List<String> wrongs() {
    return List.copyOf(wrongs);
  }
}
