import ipaddr from 'ipaddr.js';

/** All of IPv6 that is allocated to the public so far (RFC 4291). */
const PUBLIC_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address leads to the public network. Addresses known to have another purpose do not: this machine,
 * private networks, link-local ones including the metadata services of clouds, those of providers, and IPv6 addresses
 * that stand for one of IPv4.
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

/** Judging by its name. A name in brackets or numbers is an address; URLs normalize all forms of addresses. */
export function isPublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/u, '$1');
  if (ipaddr.isValid(bare)) return isPublicAddress(bare);
  const labels = hostname.replace(/\.+$/u, '').split('.');
  if (labels.length < 2) return false;
  return [1, 2].every((count) => !PRIVATE_ENDINGS.has(labels.slice(-count).join('.').toLowerCase()));
}
