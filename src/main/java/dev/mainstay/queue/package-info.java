/**
 * Which task is ready, who holds it, until when, what came out. Touches the domain and the store.
 */
@NullMarked
package dev.mainstay.queue;

import org.jspecify.annotations.NullMarked;
