package io.github.bloomguard.interceptor;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Set;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The annotations of a method or a class.
 *
 * @param guarded those that guard it
 * @param added those that add keys after it
 */
record GuardAnnotations(Set<BloomGuarded> guarded, Set<BloomAdd> added) {

	static final List<Class<? extends Annotation>> TYPES = List.of(BloomGuarded.class, BloomAdd.class);

	/**
	 * Find the annotations, also meta-annotations and those on interfaces. As with
	 * {@code @Cacheable}, if there is more than one, those on the element itself win.
	 */
	static GuardAnnotations of(AnnotatedElement element) {
		GuardAnnotations found = new GuardAnnotations(
				AnnotatedElementUtils.findMergedRepeatableAnnotations(element, BloomGuarded.class),
				AnnotatedElementUtils.findMergedRepeatableAnnotations(element, BloomAdd.class));
		if (found.size() > 1) {
			GuardAnnotations local = new GuardAnnotations(
					AnnotatedElementUtils.getMergedRepeatableAnnotations(element, BloomGuarded.class),
					AnnotatedElementUtils.getMergedRepeatableAnnotations(element, BloomAdd.class));
			return local.isEmpty() ? found : local;
		}
		return found;
	}

	boolean isEmpty() {
		return size() == 0;
	}

	private int size() {
		return this.guarded.size() + this.added.size();
	}

}
