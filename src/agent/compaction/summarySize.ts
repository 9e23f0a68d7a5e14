import type { PathSummary } from '../../engine/pathSummary.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { contextWindowOf, type ChatModel } from '../../models/chatModel.ts';
import { compactionUnits, ledgerRoom, sum, SUPPOSED_WINDOW } from './planCompaction.ts';
import { TokenCounts } from './tokenCounts.ts';

/**
 * What a summary that the user asked for replaces, and the room for its ledger: however little it saves, what must
 * survive does.
 */
export async function summarySize(
  model: ChatModel,
  messages: readonly UIMessage[],
  text: string,
): Promise<Required<Pick<PathSummary, 'ledger' | 'tokens'>>> {
  const counts = new TokenCounts();
  const before = sum(await counts.units(compactionUnits(messages, '')));
  return {
    ledger: ledgerRoom(contextWindowOf(model) ?? SUPPOSED_WINDOW),
    tokens: { before, after: await counts.text(text) },
  };
}
