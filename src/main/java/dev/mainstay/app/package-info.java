/** Configuration, wiring by hand, start and stop in order. May touch every room. */
@NullMarked
package dev.mainstay.app;

import org.jspecify.annotations.NullMarked;
