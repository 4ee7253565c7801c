package dev.mainstay.terminal;

/**
 * A window as it is now.
 *
 * @param pid of the program's wrapper
 * @param alive false once the program has ended; the screen is kept
 */
public record PaneView(Pane pane, String session, String window, long pid, boolean alive) {}
