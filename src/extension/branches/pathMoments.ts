import type { MomentView } from '../../protocol/views.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { FileMoments } from '../../files/fileMoments.ts';
import { messageRows, type MessageRow } from '../commands/pickMessage.ts';
import { MomentEditors } from '../files/momentEditors.ts';

/** The moments of a path, as a chat and the editors show them: nothing is written, and ending it leaves no trace. */
export class PathMoments {
  private constructor(
    private readonly rows: readonly MessageRow[],
    private readonly placeOf: ReadonlyMap<string, number>,
    private readonly editors: MomentEditors,
  ) {}

  static async read(
    { conversations, store }: { readonly conversations: Conversations; readonly store: ReadonlyStore },
    chatId: string,
  ): Promise<PathMoments> {
    const path = await conversations.path();
    const ids = path.map(({ id }) => id);
    const moments = new FileMoments(ids, await store.listFileChanges(chatId));
    const placeOf = new Map(ids.map((id, place) => [id, place]));
    return new PathMoments(messageRows(path), placeOf, new MomentEditors(store.blobs, moments));
  }

  /** @param to counts from 0; undefined: the last one, and the editors stay as they are */
  async show(to?: number): Promise<MomentView | undefined> {
    const count = this.rows.length;
    const place = Math.min(to ?? count, count - 1);
    const row = this.rows[place];
    if (!row) return undefined;
    const { messageId, label: text } = row;
    const files = to === undefined ? 0 : await this.editors.show(this.placeOf.get(messageId) ?? -1);
    return { messageId, place, count, text, files };
  }

  /** Undefined for a message that is not on the path. */
  async showMessage(messageId: string): Promise<MomentView | undefined> {
    const place = this.rows.findIndex((row) => row.messageId === messageId);
    return place < 0 ? undefined : this.show(place);
  }

  end(options: { readonly takesFocus?: boolean } = {}): Promise<void> {
    return this.editors.end(options);
  }
}
