// npm run real-sessions: drives real programs through conversations with a scripted model server, imports what they wrote
// and holds it against what was said.
//   npm run real-sessions -- pi codex --flow fork --sample --keep out/real-sessions
// With `mcp` alone it has programs use our MCP server, and with `servers` alone our agent the official MCP servers.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';
import { installHost } from './host/install.mjs';
import { ensureShells } from './host/shells.mjs';
import { continueWithModernNode } from './node22.mjs';

/** Set where nothing but the loopback can be reached. */
const ALONE = 'OFFSHOOT_REAL_SESSIONS_ALONE';

await continueWithModernNode();
// By an exit, so that the programs that run end as well.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(1));
const { values, positionals } = parseArgs({
  options: { flow: { type: 'string' }, sample: { type: 'boolean' }, keep: { type: 'string' } },
  allowPositionals: true,
});
const options = {
  programs: positionals,
  flow: values.flow,
  writesSamples: values.sample ?? false,
  keeps: values.keep,
};
if (positionals.includes('servers')) {
  await installHost();
  // The files of all integration tests are loaded, and some look for them.
  await ensureShells();
  build();
  const clients = await importBundled('test/realSessions/mcpClients/runMcp.ts', 'realSessions/runMcp.mjs');
  const env = {
    ...process.env,
    OFFSHOOT_OFFICIAL_SERVERS: await clients.installServers(),
    OFFSHOOT_TEST_GREP: 'the official MCP servers',
  };
  const { status } = spawnSync(process.execPath, ['scripts/test/integration.mjs'], { stdio: 'inherit', env });
  process.exit(status ?? 1);
}
const isMcp = positionals.includes('mcp');
const { install, run } = isMcp
  ? await importBundled('test/realSessions/mcpClients/runMcp.ts', 'realSessions/runMcp.mjs')
  : await importBundled('test/realSessions/run.ts', 'realSessions/run.mjs');
if (process.env[ALONE] === undefined) {
  await install(options);
  if (isMcp) build();
}
const namespace = ['--map-root-user', '--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const isConfinable = spawnSync('unshare', [...namespace, 'true']).status === 0;
if (process.env[ALONE] === undefined && isConfinable) {
  const { status } = spawnSync('unshare', [...namespace, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [ALONE]: '1' },
  });
  process.exitCode = status ?? 1;
} else {
  process.exitCode = (await run(options)) ? 0 : 1;
}

/** What ships, and what tests start. */
function build() {
  for (const more of [[], ['--tests']]) {
    const args = ['esbuild.mjs', '--no-types', ...more];
    if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) process.exit(1);
  }
}
