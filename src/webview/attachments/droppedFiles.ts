/** The formats VS Code provides for files dragged from its Explorer or from tabs, most detailed first. */
const URI_LIST = 'application/vnd.code.uri-list';
const RESOURCES = 'resourceurls';
const PATHS = 'codefiles';
/** Editors; a source that sets this sets one of the others as well. */
const EDITORS = 'codeeditors';

/** Lists longer than any real drag are ignored, in UTF-16 units. */
const MAX_LENGTH = 1_000_000;

/** Whether files of VS Code are dragged. Links of other pages have addresses as well, but are not files. */
export function holdsVsCodeFiles(types: readonly string[]): boolean {
  return [URI_LIST, RESOURCES, PATHS, EDITORS].some((type) => types.includes(type));
}

/** The addresses of the dropped files and folders, each once. They are not validated: the host does that. */
export function droppedUris(data: Pick<DataTransfer, 'getData'>): string[] {
  const read = (type: string): string => data.getData(type).slice(0, MAX_LENGTH);
  for (const found of [
    lines(read(URI_LIST)),
    texts(read(RESOURCES)),
    texts(read(PATHS)).map(uriOfPath),
    lines(read('text/uri-list')),
  ]) {
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}

/** A line that begins with a number sign is a comment: https://www.rfc-editor.org/rfc/rfc2483#section-5 */
function lines(list: string): string[] {
  return list
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function texts(json: string): string[] {
  if (json === '') return [];
  try {
    const read: unknown = JSON.parse(json);
    return Array.isArray(read) ? read.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function uriOfPath(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/').map(encodeURIComponent);
  return `file://${path.startsWith('/') ? '' : '/'}${parts.join('/')}`;
}
