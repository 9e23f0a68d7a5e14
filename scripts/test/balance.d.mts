/** Divides tests among lanes that run side by side, so that all end at about the same time. */
export function balance(
  files: readonly string[],
  seconds: Readonly<Record<string, number>>,
  lanes: number,
): string[][];
