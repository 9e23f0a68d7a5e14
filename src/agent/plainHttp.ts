/**
 * Whether what is sent to an origin can be read on its way: it is not encrypted, and does not stay on this machine.
 * Names count only where they cannot be anything but this machine (RFC 6761, RFC 5735).
 */
export function isReadableOnItsWay(origin: string): boolean {
  const url = URL.parse(origin);
  if (url?.protocol !== 'http:') return false;
  const { hostname } = url;
  return !/^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname);
}
