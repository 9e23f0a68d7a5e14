import { encodedPath } from '../fileUri.ts';

const isWindowsHere = process.platform === 'win32';

/** @param path absolute, on this machine */
export function uriOf(path: string, isWindows = isWindowsHere): string {
  const slashed = isWindows ? path.replaceAll('\\', '/') : path;
  const share = isWindows ? /^\/\/([^/]+)(.*)$/su.exec(slashed) : null;
  const [, server = '', below = slashed] = share ?? [];
  const rooted = below.startsWith('/') ? below : `/${below}`;
  const drive = /^\/[A-Z]:/u.exec(rooted)?.[0];
  const known = isWindows && drive !== undefined ? drive.toLowerCase() + rooted.slice(drive.length) : rooted;
  return `file://${encodedPath(server.toLowerCase())}${encodedPath(known)}`;
}

/** Takes URIs of any scheme, because VS Code gives some folders their own. */
export function pathOf(uri: string, isWindows = isWindowsHere): string {
  const parts = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?([^?#]*)/iu.exec(uri);
  if (!parts) throw new TypeError(`${uri} is not a URI.`);
  const [, scheme, server = '', path = ''] = parts.map((part: string | undefined) =>
    decodeURIComponent(part ?? ''),
  );
  const whole = scheme === 'file' && server !== '' ? `//${server}${path}` : path;
  if (!isWindows) return whole;
  const local = whole.replace(/^\/([a-z]):/iu, (_, letter: string) => `${letter.toLowerCase()}:`);
  return local.replaceAll('/', '\\');
}
