package io.github.bloomguard.catchup;

import org.jspecify.annotations.Nullable;

/**
 * A key and the mark of its row.
 *
 * @param key the key, in any form that keys may have; {@code null} is passed over
 * @param mark how far one has caught up with this row
 * @since 0.1.0
 */
public record MarkedKey(@Nullable Object key, Mark mark) {

}
