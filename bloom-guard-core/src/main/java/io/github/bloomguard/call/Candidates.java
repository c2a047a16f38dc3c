package io.github.bloomguard.call;

import java.util.BitSet;

import io.github.bloomguard.Verdict;

/**
 * What the guard decided about many keys at once.
 *
 * @param positions the positions of the keys that the method is to be called with
 * @param absent the positions of those keys among them that the filter calls absent, and
 * that are looked for all the same because it is not believed, or only watches
 * @param verdict what that means for the call as a whole: {@link Verdict#UNKNOWN} if the
 * filter can't tell about some of the keys
 * @since 0.1.0
 */
public record Candidates(BitSet positions, BitSet absent, Verdict verdict) {

}
