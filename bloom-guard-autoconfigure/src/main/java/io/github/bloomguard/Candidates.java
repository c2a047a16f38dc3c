package io.github.bloomguard;

import java.util.BitSet;

/**
 * What the guard decided about many keys at once.
 *
 * @param positions the positions of the keys that may exist
 * @param verdict what that means for the call as a whole: {@link Verdict#UNKNOWN} if the
 * filter can't tell about some of the keys
 * @since 0.1.0
 */
public record Candidates(BitSet positions, Verdict verdict) {

}
