import type { ApprovalRequest, PagePreview } from '../approvals.ts';

/** A longer URL is long enough to leak data, and must be approved each time; in UTF-16 units. */
const PLAIN_LENGTH = 300;

/** @param from the host that redirected there, if any */
export function pageRequest(url: URL, from?: string): ApprovalRequest {
  const page: PagePreview = {
    url: url.href,
    host: url.host,
    isReadable: url.protocol === 'http:',
    isLong: url.href.length > PLAIN_LENGTH,
    ...(from === undefined ? {} : { from }),
  };
  return { kind: `web:${url.origin}`, page };
}

/**
 * Whether the host is listed in the user's setting, so that no question is needed: by name, with its port unless it
 * is the default, or as `*.` and a suffix. Unencrypted or long URLs always need approval.
 */
export function isListedPage(url: URL, hosts: readonly string[]): boolean {
  const isPlain = url.protocol === 'https:' && url.href.length <= PLAIN_LENGTH;
  return isPlain && hosts.some((entry) => covers(entry.trim().toLowerCase(), url.host));
}

function covers(entry: string, host: string): boolean {
  const [, isEnding, name = ''] = /^(\*\.)?([^*/?#@\s]+)$/u.exec(entry) ?? [];
  // In the URL's form: internationalized names in Punycode.
  const listed = URL.parse(`https://${name}`)?.host;
  if (listed === undefined || listed === '') return false;
  return isEnding === undefined ? host === listed : host.endsWith(`.${listed}`);
}

/**
 * A host that a command is to reach over a proxy. Leave for its pages is not leave for it: a command can also send.
 * @param origin such as `https://example.com`
 */
export function hostRequest(origin: URL): ApprovalRequest {
  const { page } = pageRequest(origin);
  return { kind: `host:${origin.origin}`, ...(page ? { page: { ...page, isForCommand: true } } : {}) };
}
