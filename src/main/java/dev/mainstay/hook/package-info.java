/**
 * What agents' hosts tell of a session: one event in, one answer in the host's own format out.
 * Touches the domain, json, render and the feature rooms.
 */
@NullMarked
package dev.mainstay.hook;

import org.jspecify.annotations.NullMarked;
