// Writes the ids of package.json as types, so that a name that is not there does not compile.
//   node scripts/ids.mjs [--check]
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from './host/paths.mjs';
import { clausesOf } from './manifest/clauses.mjs';
import { valueType } from './manifest/value-type.mjs';
import { keysOf, parseWhen } from './manifest/when-clause.mjs';

const NAME = 'src/extension/manifest/ids.ts';
const file = path.join(root, NAME);

/** @type {{ activationEvents: readonly string[]; contributes: import('./manifest/clauses.mjs').Contributes }} */
const { activationEvents, contributes } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const PREFIX = 'offshoot.';

/** @param {Iterable<string>} ids */
function union(ids) {
  return [...new Set(ids)]
    .sort()
    .map((id) => JSON.stringify(id))
    .join(' | ');
}

/** @param {string} id */
function withoutPrefix(id) {
  if (!id.startsWith(PREFIX)) throw new Error(`${id} in package.json has to begin with ${PREFIX}`);
  return id.slice(PREFIX.length);
}

const views = Object.values(contributes.views).flat();
const panels = activationEvents.flatMap((event) => /^onWebviewPanel:(.*)$/.exec(event)?.[1] ?? []);
const keys = clausesOf(contributes).flatMap((clause) => keysOf(parseWhen(clause)));
const settings = Object.entries(contributes.configuration.properties).map(
  ([id, schema]) => `${JSON.stringify(withoutPrefix(id))}: ${valueType(schema)};`,
);

const source = `// Written by \`npm run ids\` from package.json: change that, and run it again.

/** A command, without the prefix. */
export type CommandName = ${union(contributes.commands.map(({ command }) => withoutPrefix(command)))};

export type CommandId = \`${PREFIX}\${CommandName}\`;

/** A view of the side bar. */
export type ViewId = ${union(views.map(({ id }) => id))};

/** A page in an editor tab. */
export type PanelId = ${union(panels)};

/** A context key of this extension that decides what shows or works. */
export type ContextKey = ${union(keys.filter((key) => key.startsWith(PREFIX)))};

/** Each setting, without the prefix, and what it may be set to. */
export interface SettingValues {
${settings.sort().join('\n')}
}
`;
const wanted = await format(source, { ...(await resolveConfig(file)), parser: 'typescript' });
if (!process.argv.includes('--check')) await writeFile(file, wanted);
else if ((await readFile(file, 'utf8').catch(() => '')) !== wanted) {
  console.error(`${NAME} is not up to date. Run: npm run ids`);
  process.exitCode = 1;
}
