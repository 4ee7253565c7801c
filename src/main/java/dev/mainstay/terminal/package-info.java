/**
 * Terminals and workers: who they are and what they were told to begin with. Touches the domain,
 * the store and the queue.
 */
@NullMarked
package dev.mainstay.terminal;

import org.jspecify.annotations.NullMarked;
