/**
 * Where a text stands in another one. Places may overlap: `aa` stands twice in `aaa`. The time grows with the length of
 * both, whatever they hold (Knuth, Morris and Pratt), while `indexOf` may compare each place with the whole of a text
 * that repeats itself.
 * @param limit places after so many are not looked for
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

/** For each beginning of the text: how long its longest beginning is that is its end as well. */
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
