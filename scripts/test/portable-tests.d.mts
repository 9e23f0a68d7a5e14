/** The files of integration tests that run in a browser. */
export function portableTests(folder: string): Promise<string[]>;
