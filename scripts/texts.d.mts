/** The texts that users see, in the order they stand in a source. */
export function textsIn(source: string, file: string): string[];
