/**
 * Terminals and workers: who they are, what they were told to begin with, and their windows in
 * tmux. Touches the domain, the store, the queue and, for tmux alone, room process.
 */
@NullMarked
package dev.mainstay.terminal;

import org.jspecify.annotations.NullMarked;
