package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who follows which pane. tmux tells a connection of the output in the session that it is attached
 * to, so a window is linked to that one for as long as somebody follows it.
 */
final class Follows implements TmuxListener {
  private static final String CONTROL = "=" + TmuxServer.CONTROL_SESSION + ":";

  private final TmuxServer server;
  private final Panes panes;
  private final Map<String, Set<Following>> byPane = new ConcurrentHashMap<>();

  Follows(TmuxServer server, Panes panes) {
    this.server = server;
    this.panes = panes;
    server.listen(this);
  }

  boolean isAlive(Pane pane) {
    return panes.isAlive(pane);
  }

  synchronized Following follow(Pane pane, FollowListener listener) {
    if (!panes.isAlive(pane)) {
      throw Refusal.notFound("the program in this window has ended; there is nothing to follow");
    }
    Following following = new Following(this, pane, listener);
    byPane.computeIfAbsent(pane.id(), id -> ConcurrentHashMap.newKeySet()).add(following);
    try {
      link(pane);
    } catch (RuntimeException failed) {
      forget(following);
      throw failed;
    }
    following.start();
    return following;
  }

  private void link(Pane pane) {
    String window = window(pane);
    List<String> linked = server.ask("list-windows", "-t", CONTROL, "-F", "#{window_id}");
    if (linked.contains(window)) return;
    server.tellIn(pane.life(), List.of(List.of("link-window", "-d", "-s", window, "-t", CONTROL)));
  }

  /** From the list: asked for a pane that is gone, tmux would tell of another. */
  private String window(Pane pane) {
    List<String> asked = List.of("list-panes", "-a", "-F", "#{pane_id}:#{window_id}");
    return server.askIn(pane.life(), List.of(asked)).get(0).stream()
        .filter(row -> row.startsWith(pane.id() + ":"))
        .map(row -> row.substring(row.indexOf(':') + 1))
        .findFirst()
        .orElseThrow(() -> Refusal.notFound("the window is gone; start it again"));
  }

  synchronized void leave(Following following) {
    if (!forget(following)) return;
    try {
      Pane pane = following.pane();
      // If a person has closed its session meanwhile, this was its last link: then it ends, too.
      panes.close(pane.life(), List.of("unlink-window", "-k", "-t", CONTROL + window(pane)));
    } catch (Refusal goneAlready) {
      return;
    }
  }

  /** Says whether he was the last one to follow this pane. */
  private boolean forget(Following following) {
    Set<Following> others = byPane.get(following.pane().id());
    if (others == null || !others.remove(following) || !others.isEmpty()) return false;
    byPane.remove(following.pane().id());
    return true;
  }

  @Override
  public void output(String pane, byte[] bytes) {
    for (Following each : byPane.getOrDefault(pane, Set.of())) each.offer(bytes);
  }

  @Override
  public void reconnected() {
    String life = server.life();
    for (Set<Following> each : byPane.values()) each.forEach(f -> f.reconnected(life));
  }
}
