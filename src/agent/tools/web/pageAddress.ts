import type { ApprovalRequest, PagePreview } from '../approvals.ts';
import { ToolError } from '../toolError.ts';

/** The longest URL, as it is sent. */
const MAX_LENGTH = 4_000;

/** A longer one has room for what somebody wants to carry out, and is asked about each time; in UTF-16 units. */
const PLAIN_LENGTH = 300;

/** A URL whose page may be asked for, without what stays with whoever asks. @throws ToolError */
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
  // With the dot at its end a name is the same, and would not look the same.
  url.hostname = url.hostname.replace(/\.$/u, '');
  if (url.href.length > MAX_LENGTH)
    throw invalid(`URLs longer than ${MAX_LENGTH} characters are not fetched.`);
  return url;
}

/** What the user is asked before a page is fetched. @param from the host that sent there, if one did */
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
 * Whether the user need not be asked, since they listed the host in a setting: by its name, with its port unless that is
 * the usual one, or as `*.` and the end of it. What can be read on its way, or is long, has to be asked for.
 */
export function isListedPage(url: URL, hosts: readonly string[]): boolean {
  const isPlain = url.protocol === 'https:' && url.href.length <= PLAIN_LENGTH;
  return isPlain && hosts.some((entry) => covers(entry.trim().toLowerCase(), url.host));
}

function covers(entry: string, host: string): boolean {
  const [, isEnding, name = ''] = /^(\*\.)?([^*/?#@\s]+)$/u.exec(entry) ?? [];
  // As the host was read: names of other scripts are written in letters of this one.
  const listed = URL.parse(`https://${name}`)?.host;
  if (listed === undefined || listed === '') return false;
  return isEnding === undefined ? host === listed : host.endsWith(`.${listed}`);
}

function invalid(message: string): ToolError {
  return new ToolError(message, 'invalid-input');
}
