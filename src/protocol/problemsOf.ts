import type { z } from 'zod';

/** What is wrong with a message, by its shape and never by its content. */
export function problemsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.') || 'message'}: ${code}`).join('; ');
}
