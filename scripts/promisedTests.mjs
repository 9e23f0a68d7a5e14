/**
 * The rows of the table of SECURITY.md that names for each promise the tests that hold it.
 * @param {string} text of SECURITY.md
 * @returns {{ promise: string, file: string, title: string }[]} a row for each test
 */
export function promisedTests(text) {
  const [, table = ''] = text.split('## Which tests hold it');
  return [...table.matchAll(/^\| (?!-|Promise)(.+?) +\| (.+?) +\|$/gmu)].flatMap(
    ([, promise = '', tests = '']) =>
      [...tests.matchAll(/`(test\/[\w./-]+)`(?: “(.+?)”)?/gu)].map(([, file = '', title = '']) => ({
        promise,
        file,
        title,
      })),
  );
}

/**
 * What SECURITY.md promises: the beginning of each entry of its lists.
 * @param {string} text of SECURITY.md
 * @returns {string[]} without the signs of Markdown
 */
export function promises(text) {
  const part = text.slice(text.indexOf('## What is promised'), text.indexOf('## What is not promised'));
  return [...part.matchAll(/^- (.+)$/gmu)].map(([, line = '']) => line.replaceAll(/[*`]/gu, ''));
}
