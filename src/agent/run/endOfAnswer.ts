import type { FinishReason } from 'ai';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { describeEmpty } from '../../models/errors/describeModelError.ts';
import { describeTooLong, quoted } from '../../models/errors/describeStatus.ts';
import type { AnswerError } from '../../models/errors/modelErrors.ts';
import { createNotice, type Notice } from '../../models/errors/notice.ts';

export interface AnswerEnd {
  /** The AI SDK's reading of the server's reason; undefined when the stream ended without one. */
  readonly reason: FinishReason | undefined;
  /** The server's own value. */
  readonly raw: string | undefined;
  /** True if it held no word and no call. Reasoning alone is not an answer. */
  readonly isEmpty: boolean;
  readonly modelLabel: string;
}

export interface End extends Pick<AnswerMetadata, 'status' | 'notice'> {
  readonly error?: AnswerError | undefined;
}

/** Its cost is what the server says; omitted where it says nothing. */
export type AnswerOutcome = End & Pick<AnswerMetadata, 'usage' | 'cost'>;

/** Reasons that only mean the model has finished. */
const ORDINARY =
  /^(stop|end|eos|end_?turn|eos_token|stop_sequence|complete|done|tool_?calls?|function_?calls?)$/iu;

export function endOfAnswer(end: AnswerEnd): End {
  const { reason, raw = '', isEmpty, modelLabel } = end;
  switch (reason) {
    case 'length':
      // Anthropic: the window was full before the output limit was reached.
      return raw === 'model_context_window_exceeded'
        ? { status: 'interrupted', error: describeTooLong(modelLabel) }
        : {
            status: 'interrupted',
            error: {
              ...createNotice('output-limit', defineMessage('{0} reached its output limit.', modelLabel)),
              ifPartSaved: defineMessage('{0} reached its output limit. Partial response saved.', modelLabel),
            },
          };
    case 'content-filter':
      return { status: 'failed', error: describeFilter(raw, modelLabel) };
    case 'error':
    case 'interrupted':
      // Google: a stream without a candidate.
      return {
        status: 'failed',
        error: raw === '' && isEmpty ? describeEmpty(modelLabel) : describeBrokenOff(raw, modelLabel),
      };
    case 'stop':
    case 'tool-calls':
    case 'other':
    case undefined:
      return describeOther(end);
  }
}

export function noFinalResponse(modelLabel: string): Notice {
  return createNotice('no-answer', defineMessage('{0} ended without a final response.', modelLabel));
}

function describeOther({ reason, raw, isEmpty, modelLabel }: AnswerEnd): End {
  if (raw === 'pause_turn') {
    return {
      status: 'interrupted',
      error: createNotice('paused', defineMessage('{0} paused its response.', modelLabel)),
    };
  }
  if (raw !== undefined && /error|MALFORMED|UNEXPECTED|MISSING|TOO_MANY/iu.test(raw)) {
    return { status: 'failed', error: describeBrokenOff(raw, modelLabel) };
  }
  if (isEmpty) return { status: 'failed', error: describeEmpty(modelLabel) };
  if (reason !== 'other' || raw === undefined || ORDINARY.test(raw)) return { status: 'complete' };
  return {
    status: 'complete',
    notice: createNotice(
      'unknown-end',
      defineMessage('{0} ended its response for an unknown reason{1}', modelLabel, quoted(raw)),
    ),
  };
}

function describeFilter(raw: string, modelLabel: string): AnswerError {
  switch (raw) {
    case 'RECITATION':
      return createNotice(
        'recitation',
        defineMessage(
          '{0} stopped because its response resembled published text. Ask for it in other words.',
          modelLabel,
        ),
      );
    case 'refusal':
    case 'stop':
      return createNotice(
        'refusal',
        defineMessage('{0} declined to answer. Rephrase the question, or select another model.', modelLabel),
      );
    default:
      return createNotice(
        'content-filter',
        defineMessage(
          'The content filter of {0} stopped the response{1} Rephrase the question, or select another model.',
          modelLabel,
          quoted(/^content.filter$/iu.test(raw) ? '' : raw),
        ),
      );
  }
}

function describeBrokenOff(raw: string, modelLabel: string): AnswerError {
  if (/FUNCTION_CALL|TOOL_CALL/u.test(raw)) {
    return createNotice(
      'malformed-call',
      defineMessage('{0} wrote a tool call that can’t be read{1}', modelLabel, quoted(raw)),
    );
  }
  const isNoted = raw !== '' && raw !== 'error';
  return createNotice(
    'incomplete',
    defineMessage('{0} ended its response early{1}', modelLabel, quoted(isNoted ? raw : '')),
  );
}
