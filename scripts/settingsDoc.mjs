// npm run docs:settings: writes docs/settings.md, which is made of package.json and its English texts.
//   npm run docs:settings -- --check   ends with 1 when it isn't up to date
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { root } from './host/paths.mjs';

/**
 * As much of JSON Schema as settings use.
 * @typedef {object} Property
 * @property {string} [type]
 * @property {unknown} [default]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {readonly string[]} [enum]
 * @property {readonly string[]} [enumDescriptions]
 * @property {readonly string[]} [required]
 * @property {string} [description]
 * @property {string} [markdownDescription]
 * @property {Property} [items]
 * @property {Property | false} [additionalProperties]
 * @property {Readonly<Record<string, Property>>} [properties]
 */

const file = path.join(root, 'docs', 'settings.md');
const read = async (/** @type {string} */ name) => JSON.parse(await readFile(path.join(root, name), 'utf8'));

const manifest = await read('package.json');
/** @type {Record<string, string>} */
const texts = await read('package.nls.json');
/** @type {Record<string, Property>} */
const properties = manifest.contributes.configuration.properties;
/** @type {readonly string[]} */
const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;

const page = await format(settingsPage(), { parser: 'markdown', printWidth: 110 });
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== page) {
    console.error('docs/settings.md is not up to date; `npm run docs:settings` writes it.');
    process.exitCode = 1;
  }
} else await writeFile(file, page);

function settingsPage() {
  const sections = Object.keys(properties)
    .toSorted()
    .map((name) => section(name, properties[name] ?? {}));
  return [
    '# Settings',
    'Made from `package.json` by `npm run docs:settings`; changes belong there.',
    'Every setting is the user’s: none can be set by the files of a workspace. Those marked with * have no ' +
      'effect in a workspace that isn’t trusted.',
    ...sections,
  ].join('\n\n');
}

function section(/** @type {string} */ name, /** @type {Property} */ property) {
  const mark = restricted.includes(name) ? ' \\*' : '';
  return [`## \`${name}\`${mark}`, described(property), facts(property), ...lists(property)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What it is for, with references to other settings as code. */
function described(/** @type {Property} */ { description, markdownDescription }) {
  return text(markdownDescription ?? description ?? '').replaceAll(/`#([\w.]+)#`/g, '`$1`');
}

/** A text of the manifest, which stands in package.nls.json where it is written as `%name%`. */
function text(/** @type {string} */ given) {
  const [, key] = /^%(.+)%$/.exec(given) ?? [];
  if (key === undefined) return given;
  const found = texts[key];
  if (found === undefined) throw new Error(`package.nls.json has no text '${key}'.`);
  return found;
}

function facts(/** @type {Property} */ property) {
  const { type = 'any', minimum, maximum } = property;
  const range = [
    ...(minimum === undefined ? [] : [`at least ${minimum.toLocaleString('en')}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum.toLocaleString('en')}`]),
  ].join(', ');
  return `Type: ${type}${range && ` (${range})`}. Default: \`${JSON.stringify(property.default)}\`.`;
}

/** Its values, or the members of the objects that it holds. */
function lists(/** @type {Property} */ property) {
  const values = property.enum?.map((value, index) => {
    const what = property.enumDescriptions?.[index];
    return `- \`${value}\`${what === undefined ? '' : `: ${text(what)}`}`;
  });
  return [
    values,
    members(property.items),
    members(property.additionalProperties || undefined),
    property.properties && members(property),
  ]
    .filter((lines) => lines !== undefined)
    .map((lines) => lines.join('\n'));
}

/** @returns {string[] | undefined} */
function members(/** @type {Property | undefined} */ object) {
  if (object?.enum) return [`Each of them: ${object.enum.map((value) => `\`${value}\``).join(', ')}`];
  if (!object?.properties) return undefined;
  return Object.entries(object.properties).map(([name, property]) => {
    const isRequired = object.required?.includes(name) ? ', required' : '';
    const what = described(property);
    const inside = Object.keys(property.properties ?? {}).map((key) => `\`${key}\``);
    return `- \`${name}\` (${property.type ?? 'any'}${isRequired})${what && `: ${what}`}${inside.length > 0 ? ` Members: ${inside.join(', ')}.` : ''}`;
  });
}
