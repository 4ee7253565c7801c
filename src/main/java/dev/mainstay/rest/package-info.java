/**
 * The server: one HTTP request into one use case, and its answer back. Touches the domain, the
 * feature rooms and the HTTP server.
 */
@NullMarked
package dev.mainstay.rest;

import org.jspecify.annotations.NullMarked;
