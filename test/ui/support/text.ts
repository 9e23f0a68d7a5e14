/** Matches the whole of a text, give or take the space around it. */
export function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${escaped(text)}\\s*$`);
}

/** Matches the beginning of a text, give or take the space before it. */
export function startingWith(text: string): RegExp {
  return new RegExp(`^\\s*${escaped(text)}`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
