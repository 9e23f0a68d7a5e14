/** Limits for a JSON value: from a model as the input of a tool, or from others as a schema. */
export interface JsonBounds {
  /** The nesting depth of objects and arrays. */
  readonly depth: number;
  /** The total number of values: members, items and their containers. */
  readonly values: number;
  /** The total UTF-16 units of all strings and names. */
  readonly text: number;
}

/** Far more than a call needs, and far less than what breaks recursion or a view. */
export const INPUT_BOUNDS: JsonBounds = { depth: 100, values: 100_000, text: 10_000_000 };

/** The metadata of a call whose input was omitted because it exceeded a bound. */
export function leftOut(beyond: keyof JsonBounds): { offshoot: { beyond: keyof JsonBounds } } {
  return { offshoot: { beyond } };
}

/** Which bound a value exceeds; undefined: none. Walks without recursion, and no further than necessary. */
export function beyondBounds(value: unknown, bounds: JsonBounds): keyof JsonBounds | undefined {
  let level: unknown[] = [value];
  let values = 0;
  let text = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > bounds.depth) return 'depth';
    const next: unknown[] = [];
    for (const each of level) {
      values += 1;
      if (typeof each === 'string') text += each.length;
      else if (Array.isArray(each)) {
        if (values + next.length + each.length > bounds.values) return 'values';
        for (const item of each) next.push(item);
      } else if (typeof each === 'object' && each !== null) {
        for (const [name, member] of Object.entries(each)) {
          text += name.length;
          next.push(member);
        }
      }
      if (values + next.length > bounds.values) return 'values';
      if (text > bounds.text) return 'text';
    }
    level = next;
  }
  return undefined;
}

/** The same for unparsed JSON text: estimated from its characters, as a lower bound. */
export function textBeyondBounds(json: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isInString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      values += 1;
      if (depth > bounds.depth) return 'depth';
    } else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ',') values += 1;
    if (values > bounds.values) return 'values';
  }
  // An escaped unit takes at most six characters.
  return json.length > 6 * bounds.text ? 'text' : undefined;
}
