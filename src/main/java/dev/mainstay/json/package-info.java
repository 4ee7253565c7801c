/** JSON text in and out, within limits. Touches the domain and Jackson's streaming core. */
@NullMarked
package dev.mainstay.json;

import org.jspecify.annotations.NullMarked;
