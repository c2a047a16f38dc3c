package io.github.bloomguard.test;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Finds {@link AutoConfigureBloomGuard} on test classes.
 */
class BloomGuardContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		AutoConfigureBloomGuard annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureBloomGuard.class);
		return (annotation != null) ? new BloomGuardContextCustomizer(annotation.warmUp()) : null;
	}

}
