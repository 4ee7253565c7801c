/**
 * Terminals and workers: who they are, what they were told to begin with, what they say to each
 * other, and the profiles and providers they are started from. Their windows are tmux's. Touches
 * the domain, the readers of {@code json}, the store, child processes and the queue.
 */
@NullMarked
package dev.mainstay.terminal;

import org.jspecify.annotations.NullMarked;
