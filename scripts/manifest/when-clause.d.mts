/** A `when` or `enablement` clause of package.json. */
export type When =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'equals'; readonly key: string; readonly value: string }
  | { readonly kind: 'matches'; readonly key: string; readonly pattern: RegExp }
  | { readonly kind: 'not'; readonly of: When }
  | { readonly kind: 'and' | 'or'; readonly of: readonly When[] };

/** Reads `!`, `&&`, `||`, `==`, `!=`, `=~` and parentheses. @throws on anything else */
export function parseWhen(text: string): When;

/** The context keys that a clause asks for. */
export function keysOf(when: When): string[];

/** Whether a clause holds; a key without a value counts as not set. */
export function holds(when: When, values: ReadonlyMap<string, string | boolean>): boolean;
