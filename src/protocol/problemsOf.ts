import type { z } from 'zod';

/** The problems of a message, described by its shape and never by its content. */
export function problemsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.') || 'message'}: ${code}`).join('; ');
}
