import { OffshootError } from '../engine/errors.ts';
import type { MessageData } from '../engine/graph.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { isNoticeMessage } from '../engine/pathSummary.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import { isUserTurn } from '../engine/userTurn.ts';
import type { PathPart } from './summarize.ts';

/** Nothing stands before the question that could be summarized. */
export class NothingToSummarizeError extends OffshootError {
  constructor() {
    super(
      'nothing-to-summarize',
      defineMessage(
        'No earlier messages to summarize. Shorten the question, or select a model with a larger context window.',
      ),
    );
  }
}

/**
 * The part of a conversation that is summarized to make room for its last question. Where nothing but summaries stands
 * before that, it is what was done for the question so far, and the question follows the summary once more.
 * @param path root first
 * @throws NothingToSummarizeError
 */
export function earlierPart(path: readonly MessageData[]): PathPart {
  const last = path.findLastIndex(isUserTurn);
  const question = path[last];
  const before = path.slice(0, Math.max(0, last));
  if (before.some(isSaid)) return { before: [], part: before, after: path.slice(last) };
  if (!path.slice(last + 1).some(isSaid)) throw new NothingToSummarizeError();
  // What it changed beside the conversation goes with the summary.
  return { before: [], part: path, after: question ? [{ ...question, effects: undefined }] : [] };
}

function isSaid({ type, data }: MessageData): boolean {
  const read = type === 'message' ? readUIMessage(data) : undefined;
  return read !== undefined && !isNoticeMessage(read);
}
