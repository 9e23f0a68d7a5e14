#!/usr/bin/env node
// Stands in for the desktop's `code`: @vscode/test-electron spawns it with the desktop's arguments, and the
// tests run in the local VS Code. Arguments that only concern a desktop are ignored.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runExtensionTests } from './extension-tests.mjs';

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { extensionDevelopmentPath: { type: 'string', multiple: true } },
});
const asPath = (/** @type {unknown} */ value) =>
  typeof value === 'string' ? (value.startsWith('file:') ? fileURLToPath(value) : value) : undefined;

const development = [values.extensionDevelopmentPath].flat().flatMap((value) => asPath(value) ?? []);
const tests = asPath(values.extensionTestsPath);
if (development.length === 0 || !tests) {
  console.error(
    'This runs extension tests only: give --extensionDevelopmentPath=… and --extensionTestsPath=….',
  );
  process.exit(2);
}

try {
  const limitMs = Number(process.env.OFFSHOOT_TEST_LIMIT_MS ?? 900_000);
  process.exitCode = await runExtensionTests({ development, tests, folder: asPath(positionals[0]), limitMs });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
