import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../host/paths.mjs';

/**
 * The model servers of tests in a browser.
 * @typedef {object} ModelServers
 * @property {string} origin where they are asked for
 * @property {Promise<import('./page-tests.mjs').TestResult[]>} results how the tests went, once they have
 * @property {() => Promise<void>} close
 */

/**
 * Starts what has the model servers, as it was built with the tests.
 * @returns {Promise<ModelServers>}
 */
export async function startModelServers() {
  const require = createRequire(import.meta.url);
  const built = path.join(root, 'out', 'test', 'integration', 'browser', 'modelServers.child.cjs');
  const { ModelServers } = require(built);
  return new ModelServers().listen();
}
