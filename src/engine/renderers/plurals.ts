/** `policies` → `policy`, `steps` → `step`; a name that is no plural, or equals its plural, gets `item`. */
export function singular(tag: string): string {
  if (/(?:ss|us|is|series|species)$/i.test(tag)) return 'item';
  if (/[^aeiou]ies$/i.test(tag)) return `${tag.slice(0, -3)}y`;
  if (/(?:ss|x|sh|[^a]ch|tus|lias)es$/i.test(tag)) return tag.slice(0, -2);
  return /[^s]s$/i.test(tag) ? tag.slice(0, -1) : 'item';
}

/** `policy` → `policies`, `box` → `boxes`; a plural stays unchanged. */
export function plural(name: string): string {
  if (singular(name) !== 'item') return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
