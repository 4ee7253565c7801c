package dev.mainstay.mcp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is remembered of one connection: what is being answered, what is watched, what is logged.
 */
final class Connection {
  static final int WATCHED_MAX = 1_000;

  /** As the protocol names them, the least urgent first. */
  static final List<String> LEVELS =
      List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

  private final String id;
  private final Runnable whenWatching;
  private final Map<Object, AtomicBoolean> running = new ConcurrentHashMap<>();
  private final Set<String> watched = ConcurrentHashMap.newKeySet();
  private volatile int level = LEVELS.indexOf("info");

  /** The first watch is told, so that changes are listened for only where somebody cares. */
  Connection(String id, Runnable whenWatching) {
    this.id = id;
    this.whenWatching = whenWatching;
  }

  String id() {
    return id;
  }

  /**
   * Notes that a request is being answered; what is returned becomes true when it is called off.
   */
  AtomicBoolean begin(Object request) {
    return running.computeIfAbsent(request, any -> new AtomicBoolean());
  }

  void end(Object request) {
    running.remove(request);
  }

  void cancel(Object request) {
    AtomicBoolean flag = running.get(request);
    if (flag != null) flag.set(true);
  }

  boolean isCancelled(Object request) {
    AtomicBoolean flag = running.get(request);
    return flag != null && flag.get();
  }

  void cancelAll() {
    running.values().forEach(flag -> flag.set(true));
  }

  void watch(String uri) {
    if (watched.size() >= WATCHED_MAX) {
      throw WireError.invalid(
          "at most " + WATCHED_MAX + " resources are watched at once; unsubscribe from others");
    }
    watched.add(uri);
    whenWatching.run();
  }

  void unwatch(String uri) {
    watched.remove(uri);
  }

  boolean watches(String uri) {
    return watched.contains(uri);
  }

  void setLevel(String name) {
    level = level(name);
  }

  boolean logs(String name) {
    return LEVELS.indexOf(name) >= level;
  }

  static int level(String name) {
    int at = LEVELS.indexOf(name);
    if (at < 0) throw WireError.invalid("a level is one of " + String.join(", ", LEVELS));
    return at;
  }
}
