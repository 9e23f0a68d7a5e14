import { startOf } from './textLimits.ts';

const MAX_SHOWN = 300;

/** What VS Code writes for a host where there is none. */
const NO_HOST = 'dylo78gyp';

/** The server of a resource, by the id that VS Code gives it. */
export function serverOf(uri: string): string {
  const [, host = ''] = /^[\w-]+:\/\/([^/?#]*)/u.exec(uri) ?? [];
  if (!/^(?:[0-9a-f]{2}){1,200}$/u.test(host)) return host;
  const bytes = Uint8Array.from(host.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}

/** The server's own address of a resource, as far as VS Code's holds that: `demo://resource/1`. In one line. */
export function ownAddress(uri: string): string {
  const rest = uri.replace(/^[\w-]+:\/\/[^/?#]*\/?/u, '');
  const [scheme = '', host = '', ...others] = rest.split('/');
  const own = [...(host === NO_HOST ? [''] : [host]), ...others].join('/');
  return startOf(`${scheme}://${own}`.replace(/\s+/gu, ' '), MAX_SHOWN);
}
