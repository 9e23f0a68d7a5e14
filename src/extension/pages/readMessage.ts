import type * as vscode from 'vscode';
import type { z } from 'zod';
import type { FromPage } from '../../protocol/fromPage.ts';

/**
 * Reads what a page says. What does not follow its protocol is refused: logged by its shape, never by its content.
 * @param page what the log calls it, as in "The chat page"
 */
export function readMessage<T>(
  schema: z.ZodType<T>,
  message: unknown,
  page: string,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): T | undefined {
  const read = schema.safeParse(message);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, code }) => `${path.join('.') || 'message'}: ${code}`);
  log.warn(`${page} sent a message that was refused (${problems.join('; ')})`);
  return undefined;
}

/** Reads what a page that shows messages says; its protocol is loaded with the first page. */
export async function readFromPage(
  message: unknown,
  page: string,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): Promise<FromPage | undefined> {
  const { fromPage } = await import('../../protocol/fromPage.ts');
  return readMessage(fromPage, message, page, log);
}
