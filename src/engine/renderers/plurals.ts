/** `policies` → `policy`, `steps` → `step`; what is no plural, or the same as one, gets `item`. */
export function singular(tag: string): string {
  if (/(?:ss|us|is|series|species)$/i.test(tag)) return 'item';
  if (/[^aeiou]ies$/i.test(tag)) return `${tag.slice(0, -3)}y`;
  if (/(?:ss|x|sh|[^a]ch|tus|lias)es$/i.test(tag)) return tag.slice(0, -2);
  return /[^s]s$/i.test(tag) ? tag.slice(0, -1) : 'item';
}

/** `policy` → `policies`, `box` → `boxes`; what is a plural already stays one. */
export function plural(name: string): string {
  if (singular(name) !== 'item') return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
