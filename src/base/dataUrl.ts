/** What a `data:` URL says, as written. */
export interface DataUrl {
  readonly mediaType: string | undefined;
  /** Undefined: its data is not in base64. */
  readonly base64: string | undefined;
}

/**
 * Looks at its marks only: a regular expression over megabytes of data overflows its stack where the text is held in two
 * bytes for each character.
 * @returns undefined for any other URL
 */
export function readDataUrl(url: string): DataUrl | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  if (comma < 0) return undefined;
  const [mediaType, ...parameters] = url.slice('data:'.length, comma).split(';');
  return {
    mediaType: mediaType === '' ? undefined : mediaType,
    base64: parameters.at(-1) === 'base64' ? url.slice(comma + 1) : undefined,
  };
}
