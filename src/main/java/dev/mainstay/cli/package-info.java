/**
 * The command line: one command into one use case, and its answer back. Touches the domain, json
 * and the feature rooms; never the store, never another door.
 */
@NullMarked
package dev.mainstay.cli;

import org.jspecify.annotations.NullMarked;
