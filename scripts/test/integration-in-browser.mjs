// Runs the integration tests in the worker in which VS Code without a server runs its extensions.
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { withoutMotion } from '../host/server.mjs';
import { startWebServer } from '../host/web/web-server.mjs';
import { bundleIntegrationTests, integrationBundle } from './bundle-integration-tests.mjs';
import { startModelServers } from './model-servers.mjs';
import { report } from './page-tests.mjs';
import { runInPage } from './run-in-page.mjs';

const fixtures = path.join(root, 'test', 'fixtures');

const servers = await startModelServers();
await bundleIntegrationTests({ servers: servers.origin, grep: process.argv[2] ?? '' });
const web = await startWebServer({
  development: { extensions: [root, path.join(fixtures, 'lm-provider')], tests: integrationBundle },
  folder: path.join(fixtures, 'workspace'),
  settings: withoutMotion,
});
try {
  const { tests, faults } = await runInPage(`${web.origin}/seed`, servers.results);
  await report(tests, faults);
} finally {
  await web.stop();
  await servers.close();
}
