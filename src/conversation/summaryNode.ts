import { BRANCH_SUMMARY } from '../engine/branchSummary.ts';
import type { MessageEffects } from '../engine/effects.ts';
import { OffshootError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import type { JsonObject } from '../engine/json.ts';
import { pathSummaryMessage, type PathSummary } from '../engine/pathSummary.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { NewMessage } from '../engine/store.ts';
import { storable } from '../engine/storable.ts';
import type { UIMessage } from '../engine/uiMessage.ts';

export class NothingToTakeError extends OffshootError {
  constructor() {
    super(
      'nothing-to-take',
      defineMessage('Everything on that branch is on this one as well. Choose another branch.'),
    );
  }
}

export interface WrittenSummary {
  readonly text: string;
  /** A label; undefined: the user. */
  readonly model: string | undefined;
  /** The user changed the model's text. */
  readonly isEdited?: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly ledger?: PathSummary['ledger'];
  readonly tokens?: PathSummary['tokens'];
}

/** @throws NothingToTakeError when the part is empty */
export function describeSummary(
  kind: PathSummary['kind'],
  branch: BranchData,
  part: readonly MessageData[],
  { text, model, isEdited = false, now, ledger, tokens }: WrittenSummary,
): PathSummary {
  const [first] = part;
  const last = part.at(-1);
  if (!first || !last) throw new NothingToTakeError();
  return {
    kind,
    text,
    source: {
      branch: branch.name,
      headMessageId: branch.headMessageId,
      from: first.id,
      to: last.id,
      count: part.filter(({ type }) => type === 'message').length,
    },
    ...(ledger === undefined ? {} : { ledger }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(model === undefined ? {} : { model, ...(isEdited ? { isEdited } : {}) }),
    writtenAt: new Date(now).toISOString(),
  };
}

export function summaryMessage(summary: PathSummary, effects: MessageEffects | undefined): NewMessage {
  return messageNode(BRANCH_SUMMARY, pathSummaryMessage(crypto.randomUUID(), summary), { effects });
}

export function summaryDetails({ kind, source: { branch, headMessageId, count } }: PathSummary): JsonObject {
  return { summary: kind, from: branch, headMessageId, count };
}

export function messageNode(
  name: string,
  message: UIMessage,
  more: Partial<Pick<NewMessage, 'invocationId' | 'replaces' | 'effects'>> = {},
): NewMessage {
  return {
    id: message.id,
    name,
    type: 'message',
    data: storable(message, 'message'),
    invocationId: more.invocationId,
    replaces: more.replaces,
    effects: more.effects,
  };
}
