import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { mocha, outOf } from './steps.mjs';
import { nativeCompiler, typedProjects } from './types.mjs';

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
  const types = Object.entries(typedProjects).map(([name, project]) => ({
    name,
    part: 'check',
    command: [nativeCompiler, '-p', project],
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
