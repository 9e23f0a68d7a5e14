/**
 * What a page may load and where it may send: only its own files. `base-uri` and `form-action` don't follow
 * `default-src`.
 */
export function pagePolicy(nonce: string, ownFiles: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownFiles} 'nonce-${nonce}'`,
    `font-src ${ownFiles}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
