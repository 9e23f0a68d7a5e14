/** The words that select a part of the tests: `npm test -- <part>`. */
export const partNames = ['check', 'unit', 'browser', 'integration', 'ui', 'vsix'];

/** What needs the local VS Code or its browser; the integration tests run in a desktop VS Code as well. */
const onLocalVsCode = new Set(['browser', 'ui', 'vsix']);

/**
 * What `npm test` runs when no part is named.
 * @param {boolean} isHostSupported whether the local VS Code runs on this system
 */
export function partsHere(isHostSupported) {
  return partNames.filter((part) => isHostSupported || !onLocalVsCode.has(part));
}

/** Tests that measure time in a page or a window, so nothing else runs with them. Each as folders and a file below `out/test`. */
export const timedUi = [
  ['ui', 'page', 'hiddenCharacters.test.cjs'],
  ['ui', 'page', 'hugeAnswers.test.cjs'],
  ['ui', 'page', 'rendererFuzz.test.cjs'],
  ['ui', 'windows.test.cjs'],
];

/** Unit tests that start programs again and again, by their sources or the folders of these. */
export const startingPrograms = [
  'test/unit/platform/',
  ...['commandRewinds', 'commands', 'gitLayouts', 'hookRuns', 'sandboxedProjects', 'walledCommands'].map(
    (name) => `test/unit/agent/${name}.test.ts`,
  ),
  ...['commandFiles', 'repositoryFiles'].map((name) => `test/unit/attack/${name}.test.ts`),
];

/**
 * Whether a test runs in a process with others of its kind: to start a program copies the memory that Node's own libraries
 * hold, which takes several times as long in a process that has run all the others before.
 * @param {string} file its source
 */
export function startsPrograms(file) {
  return startingPrograms.some((each) => file.startsWith(each));
}
