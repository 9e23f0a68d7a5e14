/** Where programs behind a wall find the proxy: on the loopback that only they have. */
export const RELAY_PORT = 47_128;

const address = `http://127.0.0.1:${RELAY_PORT}`;
const own = 'localhost,127.0.0.1,::1';

/** What tells programs of the proxy: npm, pip, git, cargo, go, curl, yarn and Node's own requests read it. */
export const relayEnvironment: Readonly<Record<string, string>> = {
  HTTP_PROXY: address,
  HTTPS_PROXY: address,
  http_proxy: address,
  https_proxy: address,
  NO_PROXY: own,
  no_proxy: own,
  npm_config_proxy: address,
  npm_config_https_proxy: address,
  npm_config_noproxy: own,
  YARN_HTTP_PROXY: address,
  YARN_HTTPS_PROXY: address,
  NODE_USE_ENV_PROXY: '1',
};
