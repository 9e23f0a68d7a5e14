import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../host/paths.mjs';

/** Where the declarations of our own sources are, one for each. */
const ours = path.join(root, 'dist', 'types');

/** Packages that are bundled, and whose types the engine's own refer to. */
const bundled = new Map([['zod', path.join(root, 'node_modules', 'zod')]]);

/**
 * Copies the declarations that these entries need, with those of bundled packages among them: who installs the engine
 * has neither the packages nor their types.
 * @param {readonly string[]} entries below `dist/types`
 * @param {string} folder
 */
export async function copyTypes(entries, folder) {
  const queue = entries.map((entry) => path.join(ours, entry));
  const seen = new Set(queue);
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const target = path.join(folder, placeOf(file));
    let text = await readFile(file, 'utf8');
    // From the last to the first, so that the places of those before stay what they are.
    for (const { fileName, pos, end } of importsOf(text).reverse()) {
      const needed = declarationOf(fileName, file);
      const place = path.relative(path.dirname(target), path.join(folder, placeOf(needed)));
      const specifier = place.replaceAll(path.sep, '/').replace(/\.d\.ts$/, '.js');
      text =
        text.slice(0, pos) + (specifier.startsWith('.') ? specifier : `./${specifier}`) + text.slice(end);
      if (!seen.has(needed)) queue.push(needed);
      seen.add(needed);
    }
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

/**
 * The modules a declaration names, in order, each with the place of its name between the quotes.
 * @param {string} text
 */
function importsOf(text) {
  const source = ts.createSourceFile('declaration.d.ts', text, ts.ScriptTarget.ESNext);
  const [reference] = source.typeReferenceDirectives;
  if (reference) throw new Error(`A declaration of the engine refers to the types of ${reference.fileName}.`);
  /** @type {{ fileName: string, pos: number, end: number }[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    const name = moduleNamedBy(node);
    if (name) found.push({ fileName: name.text, pos: name.end - 1 - name.text.length, end: name.end - 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @param {ts.Node} node */
function moduleNamedBy(node) {
  const name =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : undefined;
  return name && ts.isStringLiteral(name) ? name : undefined;
}

/**
 * @param {string} specifier
 * @param {string} importer
 */
function declarationOf(specifier, importer) {
  if (specifier.startsWith('.')) {
    return path.resolve(path.dirname(importer), specifier).replace(/(?:\.d)?\.[jt]s$/, '.d.ts');
  }
  const home = bundled.get(specifier);
  if (!home) {
    throw new Error(
      `${path.relative(root, importer)} refers to the types of "${specifier}", which nobody has who installs the engine.`,
    );
  }
  return path.join(home, 'index.d.ts');
}

/**
 * Where a declaration stands below the package's types.
 * @param {string} file
 */
function placeOf(file) {
  for (const [name, home] of bundled) {
    if (file.startsWith(home + path.sep)) return path.join(name, path.relative(home, file));
  }
  return path.relative(ours, file);
}
