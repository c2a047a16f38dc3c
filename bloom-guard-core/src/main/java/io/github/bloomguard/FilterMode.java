package io.github.bloomguard;

/**
 * What the guard does with a filter's answers.
 *
 * @since 0.1.0
 */
public enum FilterMode {

	/**
	 * A definite miss is answered without calling the method.
	 */
	ENFORCE,

	/**
	 * The filter is asked and counted, but each call goes through: a trial run. A
	 * definite miss for which the method finds something is reported as a false negative.
	 */
	SHADOW,

	/**
	 * The filter is neither asked nor warmed up. Added keys are still written, because
	 * other instances may ask.
	 */
	OFF

}
