/**
 * Puts pictures of artifacts in their places.
 * @param known addresses by name, undefined where there is no such picture
 * @returns the names of which is not known yet what they are
 */
export function showPictures(root: Element, known: ReadonlyMap<string, string | undefined>): string[] {
  const unknown: string[] = [];
  for (const image of root.querySelectorAll('img[data-artifact]:not([src])')) {
    const name = image.getAttribute('data-artifact') ?? '';
    const address = known.get(name);
    if (address !== undefined) image.setAttribute('src', address);
    // Its description, as with every picture that cannot be shown.
    else if (known.has(name)) image.replaceWith(image.getAttribute('alt') ?? '');
    else unknown.push(name);
  }
  return unknown;
}
