import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { mocha, outOf } from './steps.mjs';

/** The unit tests that `npm run test:quick` leaves to `npm test`. */
const slowTests = path.join(root, 'test', 'slowTests.json');

/**
 * The inner loop, in lanes as in `allStages`: types, and the unit tests that take no time to speak of.
 * @param {string | undefined} grep
 * @returns {import('./steps.mjs').Step[][][]}
 */
export function quickStages(grep) {
  /** @type {Record<string, number>} */
  const slow = JSON.parse(readFileSync(slowTests, 'utf8'));
  const left = Object.keys(slow).flatMap((file) => [
    '--exclude',
    path.join('out', file.replace(/\.ts$/, '.cjs')),
  ]);
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const projects = {
    types: 'tsconfig.json',
    'types of the pages': path.join('src', 'webview', 'tsconfig.json'),
  };
  const types = Object.entries(projects).map(([name, project]) => ({
    name,
    part: 'check',
    command: [tsc, '-p', project, '--incremental', '--tsBuildInfoFile', cacheOf(project)],
  }));
  const unit = [
    { name: 'build', part: 'build', command: ['esbuild.mjs', '--no-types'], vital: true },
    { name: 'build tests', part: 'build', command: ['esbuild.mjs', '--tests'], vital: true },
    {
      name: 'quick unit',
      part: 'unit',
      command: [...mocha(outOf('unit'), 10_000, grep), ...left],
      suite: true,
    },
  ];
  return [[types, unit]];
}

/** @param {string} project */
function cacheOf(project) {
  return path.join(root, 'node_modules', '.cache', 'tsc', `${project.replaceAll(/[\\/]/g, '-')}.tsbuildinfo`);
}
