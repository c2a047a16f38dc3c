/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.interceptor;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.declaration.Declaration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.core.log.LogMessage;
import org.springframework.util.ClassUtils;

/**
 * Calls of a bean to its own annotated methods, which pass no proxy, as the bytecode of
 * its class has them.
 * <p>
 * A method that gets hold of another object of the bean's type, which may be its proxy,
 * is taken not to call itself, and neither is one whose own annotations ask for the same.
 */
final class SelfCalls extends ClassVisitor {

	private static final Log logger = LogFactory.getLog(SelfCalls.class);

	private final Map<String, Declaration> annotated = new LinkedHashMap<>();

	private final Map<String, Set<String>> operations = new LinkedHashMap<>();

	private final Map<String, Set<String>> callers = new LinkedHashMap<>();

	private final Set<String> types;

	private SelfCalls(Class<?> beanClass) {
		super(SpringAsmInfo.ASM_VERSION);
		this.types = Stream
			.concat(classes(beanClass).stream(), ClassUtils.getAllInterfacesForClassAsSet(beanClass).stream())
			.map(Type::getInternalName)
			.collect(Collectors.toSet());
	}

	/**
	 * Warn of them. Never fails: it is a hint.
	 * @param methods the annotations of each method that has some
	 */
	static void warn(Class<?> beanClass, List<List<Declaration>> methods) {
		SelfCalls calls = new SelfCalls(beanClass);
		methods.forEach((declarations) -> {
			Method method = declarations.get(0).method().method();
			String signature = method.getName() + Type.getMethodDescriptor(method);
			calls.annotated.put(signature, declarations.get(0));
			calls.operations.put(signature,
					declarations.stream()
						.map((declaration) -> declaration.name() + " " + declaration.filter())
						.collect(Collectors.toSet()));
		});
		try {
			for (Class<?> type : classes(beanClass)) {
				calls.read(type);
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug(LogMessage.format("The bytecode of %s can't be read", beanClass), ex);
		}
		calls.callers.forEach((signature, callers) -> logger.warn(LogMessage.format(
				"%s does nothing when %s of the same bean calls it, because such a call passes no proxy. Annotate the"
						+ " method of the mapper or repository that it calls, or move one of the two to another bean, or"
						+ " call it through an injected reference to this one",
				calls.annotated.get(signature), String.join(", ", callers))));
	}

	private static List<Class<?>> classes(Class<?> beanClass) {
		return Stream.<Class<?>>iterate(beanClass, (type) -> type != null && type != Object.class, Class::getSuperclass)
			.toList();
	}

	private void read(Class<?> type) throws IOException {
		try (InputStream bytecode = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (bytecode != null) {
				new ClassReader(bytecode).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
	}

	@Override
	public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
			String @Nullable [] exceptions) {
		return ((access & Opcodes.ACC_BRIDGE) == 0) ? new Caller(name, descriptor) : null;
	}

	private final class Caller extends MethodVisitor {

		private final String name;

		private final Set<String> operations;

		private final Set<String> called = new HashSet<>();

		private boolean hasOthers;

		Caller(String name, String descriptor) {
			super(SpringAsmInfo.ASM_VERSION);
			boolean lambda = name.startsWith("lambda$");
			this.name = lambda ? name.split("\\$")[1] : name;
			this.operations = SelfCalls.this.operations.entrySet()
				.stream()
				.filter((method) -> lambda ? method.getKey().startsWith(this.name + "(")
						: method.getKey().equals(name + descriptor))
				.flatMap((method) -> method.getValue().stream())
				.collect(Collectors.toSet());
			this.hasOthers = Arrays.stream(Type.getArgumentTypes(descriptor)).anyMatch(this::isOwn);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			if (opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE) {
				calls(owner, name, descriptor);
			}
			this.hasOthers |= isOwn(Type.getReturnType(descriptor));
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			boolean bound = Arrays.stream(Type.getArgumentTypes(descriptor)).anyMatch(this::isOwn);
			Stream.of(arguments)
				.filter((argument) -> bound && argument instanceof Handle)
				.map(Handle.class::cast)
				.forEach((handle) -> calls(handle.getOwner(), handle.getName(), handle.getDesc()));
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			this.hasOthers |= isOwn(Type.getType(descriptor));
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			this.hasOthers |= SelfCalls.this.types.contains(type);
		}

		@Override
		public void visitEnd() {
			if (!this.hasOthers) {
				this.called.forEach((method) -> SelfCalls.this.callers.computeIfAbsent(method, (key) -> new TreeSet<>())
					.add(this.name));
			}
		}

		private void calls(String owner, String name, String descriptor) {
			Set<String> asked = SelfCalls.this.operations.get(name + descriptor);
			if (asked != null && SelfCalls.this.types.contains(owner) && !this.operations.containsAll(asked)) {
				this.called.add(name + descriptor);
			}
		}

		private boolean isOwn(Type type) {
			return type.getSort() == Type.OBJECT && SelfCalls.this.types.contains(type.getInternalName());
		}

	}

}
