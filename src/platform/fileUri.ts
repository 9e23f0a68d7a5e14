// A file is known by its URI above the host, and two spellings of one URI would be two files. So each is written as VS Code
// writes it (`Uri.toString()`), which escapes more than the language's own functions and those of Node do.

/** A path as it stands in a URI. @param path with `/` between its parts */
export function encodedPath(path: string): string {
  return path.toWellFormed().split('/').map(encodedPart).join('/');
}

/**
 * The URI of what lies below a folder.
 * @param folder its URI
 * @param path with `/` between its parts
 */
export function uriBelow(folder: string, path: string): string {
  return `${folder.replace(/\/$/u, '')}/${encodedPath(path)}`;
}

function encodedPart(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/gu,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
