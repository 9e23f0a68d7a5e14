import { DamagedDataError } from '../engine/errors.ts';
import { storable } from '../engine/storable.ts';
import type { Draft, NewDraft } from '../engine/store.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { messageJson } from '../storing/messageJson.ts';
import type { StoreAccess } from './storeAccess.ts';
import { parsed } from './wire.ts';

interface DraftRow {
  readonly chat_id: string;
  readonly branch: string;
  readonly user_id: string;
  readonly data: string;
  readonly updated_at: number;
  readonly client: string | null;
  readonly is_alive: boolean;
}

/** The received parts of answers. */
export class Drafts {
  constructor(
    private readonly store: StoreAccess,
    private readonly clientId: string,
  ) {}

  async save({ message, ...draft }: NewDraft): Promise<void> {
    const [data] = messageJson({ id: message.id, data: storable(message, 'message'), effects: undefined });
    await this.store.write('saveDraft', { ...draft, data, client: this.clientId });
  }

  async list(chatId: string | undefined, { userId }: ViewedBy): Promise<Draft[]> {
    const rows = await this.store.rows<DraftRow>('list_drafts($1, $2, NULL)', [
      chatId ?? null,
      userId ?? null,
    ]);
    return rows.map((row) => this.draftOf(row));
  }

  async ofOthers(chatId: string): Promise<Draft[]> {
    const rows = await this.store.rows<DraftRow>('list_drafts($1, NULL, $2)', [chatId, this.clientId]);
    return rows.map((row) => this.draftOf(row));
  }

  private draftOf(row: DraftRow): Draft {
    const message = readUIMessage(parsed(row.data));
    if (!message) throw new DamagedDataError('a draft cannot be read');
    return {
      chatId: row.chat_id,
      branch: row.branch,
      userId: row.user_id,
      message,
      updatedAt: row.updated_at,
      isBeingWritten: row.is_alive && row.client !== this.clientId,
    };
  }
}
