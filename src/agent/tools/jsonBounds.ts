/** How much of a value of JSON is taken in: from a model as the input of a tool, or from others as a schema. */
export interface JsonBounds {
  /** Objects and arrays inside each other. */
  readonly depth: number;
  /** Values in all: members, items, and what holds them. */
  readonly values: number;
  /** UTF-16 units of all texts and names together. */
  readonly text: number;
}

/** Far more than a call needs, and far less than what recursion or a view cannot take. */
export const INPUT_BOUNDS: JsonBounds = { depth: 100, values: 100_000, text: 10_000_000 };

/** What the metadata of a call says when its input was left out, because it was beyond the bounds. */
export function leftOut(beyond: keyof JsonBounds): { offshoot: { beyond: keyof JsonBounds } } {
  return { offshoot: { beyond } };
}

/** What of a value is beyond the bounds; undefined: nothing. Walks without recursion, and no further than it has to. */
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

/** The same of a text that holds JSON, or is meant to, before anything reads it: counted by its signs, so at least. */
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
  // What is escaped takes six signs at most.
  return json.length > 6 * bounds.text ? 'text' : undefined;
}
