/**
 * Inserts pictures of artifacts.
 * @param known addresses by name, undefined where there is no such picture
 * @returns the names that are not known yet
 */
export function showPictures(root: Element, known: ReadonlyMap<string, string | undefined>): string[] {
  const unknown: string[] = [];
  for (const image of root.querySelectorAll('img[data-artifact]:not([src])')) {
    const name = image.getAttribute('data-artifact') ?? '';
    const address = known.get(name);
    if (address !== undefined) image.setAttribute('src', address);
    // Its description, as for every picture that cannot be shown.
    else if (known.has(name)) image.replaceWith(image.getAttribute('alt') ?? '');
    else unknown.push(name);
  }
  return unknown;
}
