package dev.mainstay.terminal;

/**
 * A window's one pane: its number, and the life of the server in which that number is its own.
 *
 * @param id what tmux calls it, as in %7
 * @param life of the server, as {@link TmuxServer#life} has it
 */
public record Pane(String id, String life) {
  public Pane {
    TmuxNames.pane(id);
  }
}
