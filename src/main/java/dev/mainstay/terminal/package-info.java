/**
 * Terminals and workers: who they are, what they were told to begin with, and what they say to each
 * other. Touches the domain, the store and the queue.
 */
@NullMarked
package dev.mainstay.terminal;

import org.jspecify.annotations.NullMarked;
