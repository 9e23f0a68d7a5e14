/**
 * Whether traffic to an origin can be read in transit: it is not encrypted and leaves this machine. Names count as
 * local only if they always mean this machine (RFC 6761, RFC 5735).
 */
export function isReadableOnItsWay(origin: string): boolean {
  const url = URL.parse(origin);
  if (url?.protocol !== 'http:') return false;
  const { hostname } = url;
  return !/^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname);
}
