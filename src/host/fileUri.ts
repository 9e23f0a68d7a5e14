// Above the host a file is identified by its URI, and two spellings of one URI would be two files. Therefore each is
// written as VS Code writes it (`Uri.toString()`), which escapes more than the functions of JavaScript and of Node.

/** @param path with `/` between its parts */
export function encodedPath(path: string): string {
  return path.toWellFormed().split('/').map(encodedPart).join('/');
}

/** @param path with `/` between its parts */
export function uriBelow(folder: string, path: string): string {
  return `${folder.replace(/\/$/u, '')}/${encodedPath(path)}`;
}

function encodedPart(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/gu,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
