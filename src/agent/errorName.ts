/** For the log: the kind of an error, without its text, which may quote the conversation. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
