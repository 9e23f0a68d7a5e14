/** Gets ids, codes, counts and model names, never a text or a key: a log can be shared. Its methods never throw. */
export interface RunLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** For the log: the kind of an error, without its text, which may quote the conversation. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
