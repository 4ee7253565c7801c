/**
 * Terminals and workers: who they are, what they were told to begin with, what they say to each
 * other, the profiles and providers they are started from, and the calendar they are started by.
 * Their windows are tmux's. Touches the domain, the readers of {@code json}, the store, child
 * processes, the queue and the library that knows cron's calendar.
 */
@NullMarked
package dev.mainstay.terminal;

import org.jspecify.annotations.NullMarked;
