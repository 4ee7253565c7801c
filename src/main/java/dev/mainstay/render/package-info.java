/** State in, prompt text out, within a token budget. Pure: touches the domain and the tokenizer. */
@NullMarked
package dev.mainstay.render;

import org.jspecify.annotations.NullMarked;
