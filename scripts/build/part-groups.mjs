import path from 'node:path';

/** @typedef {import('esbuild').Metafile['outputs'][string]} Output */

/** What chunks call each other. */
export function nameOf(/** @type {string} */ output) {
  return path.basename(output, '.js');
}

/**
 * Which chunks are needed when the extension is activated, the entry among them; which to show the chat; which later.
 * @param {import('esbuild').Metafile} metafile
 * @param {readonly string[]} atStart sources that are imported later but still needed to show the chat
 */
export function groupsOf({ outputs }, atStart) {
  const withNeeded = (/** @type {readonly string[]} */ roots) => {
    const seen = new Set(roots);
    for (const each of seen)
      for (const needed of importsOf(outputs[each], 'import-statement')) seen.add(needed);
    return seen;
  };
  const sources = Object.entries(outputs).flatMap(([output, { entryPoint = '' }]) =>
    output.endsWith('.js') ? [{ output, source: entryPoint }] : [],
  );
  const entries = sources.filter(
    ({ output, source }) => source !== '' && !path.basename(output).includes('-'),
  );
  const first = withNeeded(entries.map(({ output }) => output));
  const wanted = atStart.map((source) => {
    const found = sources.find((each) => each.source === source);
    if (!found) throw new Error(`esbuild.mjs: nothing imports ${source} later.`);
    return found.output;
  });
  const begun = [...first].flatMap((each) => importsOf(outputs[each], 'dynamic-import'));
  const start = withNeeded([...begun, ...wanted]);
  const isLater = ({ output = '' }) => !first.has(output) && !start.has(output);
  return {
    entry: entries.map(({ output }) => nameOf(output))[0] ?? '',
    first: [...first].map(nameOf),
    start: [...start].filter((each) => !first.has(each)).map(nameOf),
    later: sources.filter(isLater).map(({ output }) => nameOf(output)),
  };
}

/**
 * @param {Output | undefined} output
 * @param {import('esbuild').ImportKind} wanted
 */
function importsOf(output, wanted) {
  return (output?.imports ?? []).flatMap(({ path: imported, kind, external }) =>
    kind === wanted && !external ? [imported] : [],
  );
}
