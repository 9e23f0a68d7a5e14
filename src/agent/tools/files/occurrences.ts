/**
 * The positions of a text in another one. They may overlap: `aa` occurs twice in `aaa`. The time is linear in both
 * lengths for any content (Knuth, Morris and Pratt), while `indexOf` may compare each position with all of a
 * repetitive text.
 * @param limit stop after this many positions
 */
export function occurrences(text: string, wanted: string, limit = Infinity): number[] {
  const places: number[] = [];
  if (wanted === '' || wanted.length > text.length) return places;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length && places.length < limit; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched += 1;
    if (matched < wanted.length) continue;
    places.push(at - matched + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return places;
}

/** For each prefix of the text: the length of its longest proper prefix that is also its suffix. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (wanted.charCodeAt(length) === unit) length += 1;
    borders[at] = length;
  }
  return borders;
}
