/** The license texts of what the extension ships, which have to go with every copy of it. */
export const notices = 'dist/THIRD-PARTY-NOTICES.txt';

/** Stands between two packages. */
export const LINE = '-'.repeat(80);

/**
 * The packages of the notices.
 * @param {string} text
 * @returns {{ name: string, version: string, license: string, text: string }[]}
 */
export function sectionsOf(text) {
  return text.split(`\n\n${LINE}\n\n`).flatMap((section) => {
    const [heading, name, version, license] = /^(\S+) (\S+) \((.+)\)\n/u.exec(section) ?? [];
    return heading && name && version && license
      ? [{ name, version, license, text: section.slice(heading.length).trim() }]
      : [];
  });
}
