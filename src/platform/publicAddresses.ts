import ipaddr from 'ipaddr.js';

/** All of IPv6 that is given out to the public so far (RFC 4291). */
const PUBLIC_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address leads to the public network. Everything that is known to have another purpose does not: this
 * machine, private networks, link-local ones with what clouds tell about a machine, those of providers, and addresses of
 * IPv6 that stand for one of IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || (parsed.zoneId === undefined && parsed.match(PUBLIC_IPV6));
}

/** Names that are never public: RFC 6761, RFC 8375, and those of RFC 6762, appendix G. */
const PRIVATE_ENDINGS: ReadonlySet<string> = new Set([
  ...['localhost', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa'],
]);

/**
 * Whether the host of a URL could be public, as far as its name tells. What stands in brackets or in numbers is an
 * address; URLs have all forms of one brought to the same.
 */
export function isPublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/u, '$1');
  if (ipaddr.isValid(bare)) return isPublicAddress(bare);
  const labels = hostname.replace(/\.$/u, '').split('.');
  if (labels.length < 2) return false;
  return [1, 2].every((count) => !PRIVATE_ENDINGS.has(labels.slice(-count).join('.').toLowerCase()));
}
