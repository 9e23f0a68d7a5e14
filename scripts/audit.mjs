// npm run audit: looks at every package that ships, and at what is known against any that is installed, and keeps what
// it saw in scripts/audited.json. Run it after a build whenever a package changes, and before a release.
//   -- --offline   what package-lock.json says alone; what was seen of the same versions before stays
//   -- --accept    maintainers that changed are taken for those from now on
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { format } from 'prettier';
import { notices, sectionsOf } from './build/notices.mjs';
import { root } from './host/paths.mjs';
import { npmCommand } from './npm.mjs';

/**
 * @typedef {{ license: string, published?: string, maintainers?: string[] }} Seen
 * @typedef {{ name: string, severity: string, title: string, url: string }} Advisory
 * @typedef {{ renewed?: string, packages: Record<string, Seen>, advisories?: Advisory[], accepted: Record<string, string> }} Audited
 */

const list = path.join(root, 'scripts', 'audited.json');
const { values } = parseArgs({ options: { offline: { type: 'boolean' }, accept: { type: 'boolean' } } });

/** @type {Audited} */
const before = JSON.parse(await readFile(list, 'utf8'));
const shipped = sectionsOf(await readFile(path.join(root, notices), 'utf8'));

/** @type {Audited} */
const after = { ...before, packages: {} };
for (const { name, version, license } of shipped) {
  const key = `${name} ${version}`;
  after.packages[key] = values.offline
    ? { ...before.packages[key], license }
    : { license, ...(await seen(name, version)) };
}
if (!values.offline) {
  after.advisories = await advisories();
  after.renewed = new Date().toISOString().slice(0, 10);
}

const changed = Object.keys(after.packages).filter((key) => {
  const earlier = maintainersOf(before, key.split(' ')[0] ?? '');
  const now = after.packages[key]?.maintainers;
  return earlier && now && now.some((each) => !earlier.includes(each));
});
if (changed.length > 0 && !values.accept) {
  console.error(`Others publish these now: ${changed.join(', ')}. Look at them, then add -- --accept.`);
  process.exitCode = 1;
} else {
  await writeFile(list, await format(JSON.stringify(after), { parser: 'json', printWidth: 110 }));
}

/**
 * @param {Audited} audited
 * @param {string} name
 */
function maintainersOf({ packages }, name) {
  return Object.entries(packages).find(([key]) => key.startsWith(`${name} `))?.[1].maintainers;
}

/**
 * @param {string} name
 * @param {string} version
 * @returns {Promise<Omit<Seen, 'license'>>}
 */
async function seen(name, version) {
  const { time, maintainers } = JSON.parse(await npm('view', name, 'time', 'maintainers', '--json'));
  return {
    published: time?.[version]?.slice(0, 10),
    maintainers:
      maintainers && [maintainers].flat().map((/** @type {string} */ each) => each.replace(/ <.*/u, '')),
  };
}

/** @returns {Promise<Advisory[]>} */
async function advisories() {
  const { vulnerabilities } = JSON.parse(await npm('audit', '--json'));
  if (!vulnerabilities)
    throw new Error('npm could not ask what is known against packages. Use another registry.');
  return Object.values(vulnerabilities).flatMap(({ via }) =>
    via.flatMap((/** @type {any} */ { name, severity, title, url }) =>
      url ? [{ name, severity, title, url }] : [],
    ),
  );
}

/** @param {string[]} args */
async function npm(...args) {
  const { command, args: all, shell } = npmCommand(args);
  try {
    return (await promisify(execFile)(command, all, { cwd: root, shell, maxBuffer: 1e8 })).stdout;
  } catch (error) {
    // `npm audit` ends with 1 where it found something.
    if (error instanceof Error && 'stdout' in error && String(error.stdout) !== '')
      return String(error.stdout);
    throw error;
  }
}
