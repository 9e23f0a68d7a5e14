import { DamagedDataError, MessageExistsError } from '../../engine/errors.ts';
import type { BranchData } from '../../engine/graph.ts';
import { storable } from '../../engine/storable.ts';
import type {
  AnswerData,
  ClaimAnswer,
  FinishAnswer,
  NewMessage,
  ReadAnswer,
  ReclaimAnswer,
  SaveAnswer,
} from '../../engine/store.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { answerJson, checkedWrite, errorText, saveInput, unfinishedStatus } from '../common/answerInputs.ts';
import { isMessageTaken } from './serverErrors.ts';
import { viewer } from './sharedStore.ts';
import type { StoreAccess } from './storeAccess.ts';
import { branchOf, parsed, turnOf, type BranchRow } from './wire.ts';

interface AnswerRow {
  readonly id: string;
  readonly branch: string;
  readonly user_id: string;
  readonly status: string;
  readonly is_cancelled: boolean;
  readonly error: string | null;
  readonly data: string | null;
  readonly version: string;
  readonly claim: string;
  readonly updated_at: number;
}

/** Answers under ids of their own. */
export class ServerAnswers {
  /** @param clientId identifies the store, whose answers end with it */
  constructor(
    private readonly store: StoreAccess,
    private readonly clientId: string,
  ) {}

  async claim({ message, ...claim }: ClaimAnswer): Promise<void> {
    const data = answerJson(claim.answerId, message);
    const args = { ...checkedWrite(claim), ...viewer(claim), data, client: this.clientId };
    await this.store.write('claimAnswer', args);
  }

  async reclaim(claim: ReclaimAnswer): Promise<void> {
    const args = { ...checkedWrite(claim), ...viewer(claim), client: this.clientId };
    await this.store.write('reclaimAnswer', args);
  }

  async save(answer: SaveAnswer): Promise<boolean> {
    return this.store.write<boolean>('saveAnswer', { ...saveInput(answer), ...viewer(answer) });
  }

  async finish({ message, naming, ...answer }: FinishAnswer): Promise<BranchData> {
    const { chatId, answerId } = checkedWrite(answer);
    const save = {
      chatId,
      ...viewer(answer),
      onHeadConflict: 'fork',
      activate: false,
      ...(naming === undefined ? {} : { naming }),
      ...turnOf([asMessage(answerId, message)]),
    };
    try {
      const args = { ...answer, ...viewer(answer), save };
      return branchOf(await this.store.write<BranchRow>('finishAnswer', args));
    } catch (error) {
      throw isMessageTaken(error) ? new MessageExistsError(answerId) : error;
    }
  }

  async get(chatId: string, answerId: string, options: ReadAnswer): Promise<AnswerData | undefined> {
    const { content = true } = options;
    const [answer] = await this.read(chatId, answerId, content);
    return answer;
  }

  list(chatId: string): Promise<AnswerData[]> {
    return this.read(chatId, null, true);
  }

  private async read(chatId: string, answerId: string | null, content: boolean): Promise<AnswerData[]> {
    const values = [chatId, answerId, content, this.clientId];
    const rows = await this.store.rows<AnswerRow>('list_answers($1, $2, $3, $4)', values);
    return rows.map((row) => answerOf(row, chatId));
  }
}

function asMessage(id: string, message: UIMessage): NewMessage {
  return {
    id,
    name: 'assistant',
    type: 'message',
    data: storable({ ...message, id }, 'message'),
    invocationId: undefined,
    replaces: undefined,
    effects: undefined,
  };
}

function answerOf(row: AnswerRow, chatId: string): AnswerData {
  const message = row.data === null ? undefined : readUIMessage(parsed(row.data));
  if (row.data !== null && !message) throw new DamagedDataError('a draft cannot be read');
  return {
    id: row.id,
    chatId,
    branch: row.branch,
    userId: row.user_id,
    status: unfinishedStatus(row.status),
    isCancelled: row.is_cancelled,
    error: errorText(row.error ?? undefined),
    message,
    version: row.version,
    claim: row.claim,
    updatedAt: row.updated_at,
  };
}
