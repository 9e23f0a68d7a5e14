import * as vscode from 'vscode';
import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { ShownChat } from '../chats/shownChat.ts';

/** How many lines before and after the problem are included. */
const LINES_AROUND = 5;

/** Problems of a file, as the quick fix passes them to the command. */
const problemsArgument = z.object({
  uri: z.string(),
  problems: z
    .array(
      z.object({
        /** From 1, both included. */
        startLine: z.int().positive(),
        endLine: z.int().positive(),
        message: z.string().max(10_000),
        source: z.string().max(200).optional(),
      }),
    )
    .min(1)
    .max(10),
});

/** Attaches problems with the lines they are in. @throws OffshootError if the argument names none */
export async function attachProblems(
  guarded: GuardedFiles,
  chat: ShownChat,
  argument: unknown,
): Promise<void> {
  const read = problemsArgument.safeParse(argument).data;
  const [first] = read?.problems ?? [];
  if (!read || !first) {
    throw new OffshootError('no-problem', vscode.l10n.t('Use Quick Fix… on a problem in an editor.'));
  }
  const { shown } = await guarded.resolve({ uri: read.uri });
  const lines = read.problems.map(({ startLine, message, source }) => {
    const from = source === undefined ? '' : ` (${source})`;
    return `${shown}:${startLine}: ${message}${from}`;
  });
  const start = Math.min(...read.problems.map(({ startLine }) => startLine));
  const end = Math.max(...read.problems.map(({ endLine }) => endLine));
  await chat.focus({
    attachments: [
      {
        type: 'context',
        of: 'text',
        text: lines.join('\n'),
        name: vscode.l10n.t('Problem in {0}:{1}', shown, start),
      },
      {
        type: 'file',
        path: shown,
        startLine: Math.max(1, start - LINES_AROUND),
        endLine: end + LINES_AROUND,
      },
    ],
  });
}
