import type { ApprovalRequest, PagePreview } from '../approvals.ts';
import { ToolError } from '../toolError.ts';

/** The longest URL that is sent. */
const MAX_LENGTH = 4_000;

/** A longer URL is long enough to leak data, and must be approved each time; in UTF-16 units. */
const PLAIN_LENGTH = 300;

/** A URL that may be fetched, without its fragment. @throws ToolError */
export function readAddress(given: string, base?: URL): URL {
  const url = URL.parse(given, base);
  if (url === null)
    throw invalid(
      `“${given.slice(0, 200).toWellFormed()}” is not a URL. Give all of it, such as https://example.com/page.`,
    );
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid('Only pages at https: and http: can be fetched.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('A URL with a user name or a password is not fetched: nothing here signs in anywhere.');
  }
  url.hash = '';
  // A trailing dot does not change the host, but would look different.
  url.hostname = url.hostname.replace(/\.$/u, '');
  if (url.href.length > MAX_LENGTH)
    throw invalid(`URLs longer than ${MAX_LENGTH} characters are not fetched.`);
  return url;
}

/** The question to the user before a page is fetched. @param from the host that redirected there, if any */
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

function invalid(message: string): ToolError {
  return new ToolError(message, 'invalid-input');
}
