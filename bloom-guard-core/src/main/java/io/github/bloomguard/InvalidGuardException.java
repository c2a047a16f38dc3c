package io.github.bloomguard;

import org.jspecify.annotations.Nullable;

/**
 * A filter or a guarded method is configured so that it can't work. Stops the application
 * while it starts.
 *
 * @since 0.1.0
 */
public class InvalidGuardException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * What is wrong.
	 */
	private final String problem;

	/**
	 * What to write instead.
	 */
	private final String remedy;

	/**
	 * Create an exception.
	 * @param problem what is wrong, naming the property or the method and the value
	 * @param remedy what to write instead
	 */
	public InvalidGuardException(String problem, String remedy) {
		this(problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param problem what is wrong, naming the property or the method and the value
	 * @param remedy what to write instead
	 * @param cause what has led to it
	 */
	public InvalidGuardException(String problem, String remedy, @Nullable Throwable cause) {
		super(problem + ": " + remedy, cause);
		this.problem = problem;
		this.remedy = remedy;
	}

	/**
	 * Return what is wrong.
	 * @return a sentence
	 */
	public String getProblem() {
		return this.problem;
	}

	/**
	 * Return what to write instead.
	 * @return a sentence
	 */
	public String getRemedy() {
		return this.remedy;
	}

}
