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

package io.github.bloomguard.compatibility;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

/**
 * What a compiled class has, and which classes and members of others it names.
 */
final class ClassFile extends ClassVisitor {

	private final List<String> parents = new ArrayList<>();

	private final Set<String> members = new LinkedHashSet<>();

	private final Set<String> abstractMembers = new LinkedHashSet<>();

	private final Set<String> namedClasses = new LinkedHashSet<>();

	private final Set<Member> namedMembers = new LinkedHashSet<>();

	private int access;

	private ClassFile() {
		super(Opcodes.ASM9);
	}

	static ClassFile read(byte[] bytes) {
		ClassFile file = new ClassFile();
		new ClassReader(bytes).accept(file, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
		return file;
	}

	/**
	 * Return the superclass, if there is one, and then the interfaces.
	 */
	List<String> parents() {
		return this.parents;
	}

	/**
	 * Return name and descriptor of each field and of each method with a body.
	 */
	Set<String> members() {
		return this.members;
	}

	Set<String> abstractMembers() {
		return this.abstractMembers;
	}

	Set<String> namedClasses() {
		return this.namedClasses;
	}

	Set<Member> namedMembers() {
		return this.namedMembers;
	}

	boolean isInterface() {
		return (this.access & Opcodes.ACC_INTERFACE) != 0;
	}

	boolean isAbstract() {
		return (this.access & Opcodes.ACC_ABSTRACT) != 0;
	}

	@Override
	public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
		this.access = access;
		if (superName != null) {
			this.parents.add(superName);
		}
		Collections.addAll(this.parents, interfaces);
		this.namedClasses.addAll(this.parents);
	}

	@Override
	public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
		this.members.add(name + descriptor);
		addClasses(Type.getType(descriptor));
		return null;
	}

	@Override
	public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
			String[] exceptions) {
		(((access & Opcodes.ACC_ABSTRACT) != 0) ? this.abstractMembers : this.members).add(name + descriptor);
		addClasses(Type.getType(descriptor));
		return new Body();
	}

	private void addClasses(Type type) {
		switch (type.getSort()) {
			case Type.METHOD -> {
				addClasses(type.getReturnType());
				List.of(type.getArgumentTypes()).forEach(this::addClasses);
			}
			case Type.ARRAY -> addClasses(type.getElementType());
			case Type.OBJECT -> this.namedClasses.add(type.getInternalName());
		}
	}

	private void addMember(String owner, String name, String descriptor, boolean inInterface) {
		addClasses(Type.getObjectType(owner));
		if (!owner.startsWith("[")) {
			this.namedMembers.add(new Member(owner, name, descriptor, inInterface));
		}
	}

	/**
	 * A field or method as it is named in a class that uses it.
	 */
	record Member(String owner, String name, String descriptor, boolean inInterface) {

		boolean isMethod() {
			return this.descriptor.startsWith("(");
		}

		@Override
		public String toString() {
			return this.owner + "." + this.name + this.descriptor;
		}

	}

	private final class Body extends MethodVisitor {

		private Body() {
			super(Opcodes.ASM9);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean inInterface) {
			addMember(owner, name, descriptor, inInterface);
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			addMember(owner, name, descriptor, false);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			addClasses(Type.getObjectType(type));
		}

		@Override
		public void visitLdcInsn(Object value) {
			addConstant(value);
		}

		@Override
		public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
			if (type != null) {
				addClasses(Type.getObjectType(type));
			}
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			addClasses(Type.getType(descriptor));
			List.of(arguments).forEach(this::addConstant);
		}

		private void addConstant(Object value) {
			if (value instanceof Type type) {
				addClasses(type);
			}
			else if (value instanceof Handle handle) {
				addMember(handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
			}
		}

	}

}
