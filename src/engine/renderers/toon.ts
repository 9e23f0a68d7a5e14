import { encode } from '@toon-format/toon';
import type { Fragment } from '../fragments/fragment.ts';
import type { ContextRenderer } from './contextRenderer.ts';
import { isList, isMembers, plainFragments, type Plain } from './plain.ts';

type ToonValue = string | number | boolean | ToonValue[] | ToonObject;

interface ToonObject {
  [name: string]: ToonValue;
}

/** The system prompt in TOON, a notation that takes fewer tokens than JSON. What comes twice becomes a list. */
export class ToonRenderer implements ContextRenderer {
  render(fragments: readonly Fragment[]): string {
    const entries = plainFragments(fragments);
    return entries.length === 0 ? '' : encode(toonObject(entries));
  }
}

function toonValue(value: Plain): ToonValue {
  if (isMembers(value)) return toonObject(value.members);
  if (isList(value)) return value.map(toonValue);
  return value;
}

function toonObject(entries: readonly (readonly [name: string, value: Plain])[]): ToonObject {
  const byName = new Map<string, ToonValue[]>();
  for (const [name, value] of entries) byName.set(name, [...(byName.get(name) ?? []), toonValue(value)]);
  return Object.fromEntries(
    Array.from(byName, ([name, values]): [string, ToonValue] => {
      const [only] = values;
      return [name, only !== undefined && values.length === 1 ? only : values];
    }),
  );
}
