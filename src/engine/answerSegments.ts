import { isTextPart, isToolPart, type UIMessagePart } from './uiMessage.ts';

/** A part of the answer that a reminder between two steps has ended: it is a message of its own. */
export interface AnswerSegment {
  readonly id: string;
  readonly parts: readonly UIMessagePart[];
}

/** The answer that a loop is writing, as far as it has come. */
export class AnswerSegments {
  /** What came since the question or the last reminder between steps. */
  open: readonly UIMessagePart[] = [];
  private ended: AnswerSegment[] = [];

  get isDivided(): boolean {
    return this.ended.length > 0;
  }

  /** Another answer begins. */
  begin(): void {
    this.open = [];
    this.ended = [];
  }

  /** A reminder ends the open segment. */
  end(id: string): AnswerSegment {
    const segment = { id, parts: this.open };
    this.ended.push(segment);
    this.open = [];
    return segment;
  }

  /**
   * Divides a whole answer as the reminders did: its own parts for the ended segments, and what came after the last.
   * Undefined for one that does not repeat them.
   */
  divide(
    parts: readonly UIMessagePart[],
  ): { readonly segments: readonly AnswerSegment[]; readonly rest: UIMessagePart[] } | undefined {
    let from = 0;
    const segments: AnswerSegment[] = [];
    for (const { id, parts: own } of this.ended) {
      const end = endOf(own, parts, from);
      if (end === undefined) return undefined;
      segments.push({ id, parts: parts.slice(from, end) });
      from = end;
    }
    return segments.length === 0 ? undefined : { segments, rest: parts.slice(from) };
  }
}

/** Where the parts of a segment end in a whole answer, which may have more kinds of parts and mark its steps. */
function endOf(
  segment: readonly UIMessagePart[],
  parts: readonly UIMessagePart[],
  from: number,
): number | undefined {
  const hasCalls = segment.some(isToolPart);
  const keyOf = hasCalls ? callOf : partText;
  const own = segment.flatMap((part) => keyOf(part) ?? []);
  const theirs = parts.flatMap((part, index) => {
    const key = index < from ? undefined : keyOf(part);
    return key === undefined ? [] : [{ key, index }];
  });
  const last = theirs[own.length - 1];
  if (!last || own.some((key, index) => key !== theirs[index]?.key)) return undefined;
  const next = parts.findIndex(({ type }, index) => index > last.index && type === 'step-start');
  if (next !== -1) return next;
  const end = parts.some(({ type }) => type === 'step-start') ? parts.length : last.index + 1;
  // The last step of an answer may say the same as the one before: its words are not taken for those.
  return hasCalls || end < parts.length ? end : undefined;
}

function callOf(part: UIMessagePart): string | undefined {
  return isToolPart(part) ? part.toolCallId : undefined;
}

function partText(part: UIMessagePart): string | undefined {
  return isTextPart(part) ? part.text : undefined;
}
