import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;

/**
 * Checks a bundle for what Maven Central refuses, and for what this project publishes:
 * {@code java .ci/CheckBundle.java BUNDLE.zip ARTIFACT...}.
 */
public class CheckBundle {

	private static final List<String> REQUIRED = List.of("/project/groupId", "/project/artifactId", "/project/version",
			"/project/name", "/project/description", "/project/url", "/project/licenses/license/name",
			"/project/licenses/license/url", "/project/developers/developer/name", "/project/scm/connection",
			"/project/scm/developerConnection", "/project/scm/url");

	private final XPath xpath = XPathFactory.newInstance().newXPath();

	private final Set<String> problems = new TreeSet<>();

	private final ZipFile bundle;

	private final Set<String> files;

	CheckBundle(ZipFile bundle) {
		this.bundle = bundle;
		this.files = bundle.stream()
			.filter((entry) -> !entry.isDirectory())
			.map(ZipEntry::getName)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	public static void main(String[] arguments) throws Exception {
		try (ZipFile zip = new ZipFile(Path.of(arguments[0]).toFile())) {
			CheckBundle check = new CheckBundle(zip);
			check.check(new TreeSet<>(List.of(arguments).subList(1, arguments.length)));
			if (!check.problems.isEmpty()) {
				check.problems.forEach(System.err::println);
				System.exit(1);
			}
			System.out.println("Maven Central would take " + check.files.size() + " files of " + (arguments.length - 1)
					+ " artifacts");
		}
	}

	private void check(Set<String> artifacts) throws Exception {
		Set<String> found = new TreeSet<>();
		for (String file : this.files) {
			if (file.endsWith(".pom")) {
				found.add(checkArtifact(file));
			}
			if (!file.matches(".*\\.(asc|md5|sha1|sha256|sha512)")) {
				checkFile(file);
			}
		}
		if (!found.equals(artifacts)) {
			this.problems.add("It has " + found + " and not " + artifacts);
		}
	}

	private String checkArtifact(String file) throws Exception {
		Document pom;
		try (InputStream in = content(file)) {
			pom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
		}
		for (String required : REQUIRED) {
			if (text(required, pom).isEmpty()) {
				this.problems.add(file + " has no " + required);
			}
		}
		String version = text("/project/version", pom);
		if (version.endsWith("-SNAPSHOT") || !text("/project/parent", pom).isEmpty()
				|| !text("//repositories | //pluginRepositories", pom).isEmpty()) {
			this.problems.add(file + " is a snapshot, has a parent that is not published, or names repositories");
		}
		String artifact = text("/project/artifactId", pom);
		String base = file.substring(0, file.length() - ".pom".length());
		String path = text("/project/groupId", pom).replace('.', '/') + "/" + artifact + "/" + version + "/" + artifact
				+ "-" + version;
		if (!base.equals(path)) {
			this.problems.add(file + " is not at " + path);
		}
		if (!text("/project/packaging", pom).equals("pom")) {
			for (String part : List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json")) {
				if (!this.files.contains(base + part)) {
					this.problems.add(base + part + " is missing");
				}
			}
		}
		return artifact;
	}

	private void checkFile(String file) throws Exception {
		if (!this.files.contains(file + ".asc")) {
			this.problems.add(file + " is not signed");
		}
		checkSum(file, "MD5", ".md5");
		checkSum(file, "SHA-1", ".sha1");
	}

	private void checkSum(String file, String algorithm, String suffix) throws Exception {
		if (!this.files.contains(file + suffix)) {
			this.problems.add(file + suffix + " is missing");
			return;
		}
		try (InputStream in = content(file); InputStream sum = content(file + suffix)) {
			String expected = HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(in.readAllBytes()));
			if (!new String(sum.readAllBytes()).strip().equals(expected)) {
				this.problems.add(file + suffix + " is of another file");
			}
		}
	}

	private InputStream content(String file) throws IOException {
		return this.bundle.getInputStream(this.bundle.getEntry(file));
	}

	private String text(String expression, Document document) throws Exception {
		return this.xpath.evaluate(expression, document).strip();
	}

}
