/**
 * Who is calling and what they work on: session, place, task, fence; one observed turn into the
 * task's state. Touches the domain, json, queue, state and the store.
 */
@NullMarked
package dev.mainstay.session;

import org.jspecify.annotations.NullMarked;
