import { signal } from '@preact/signals';
import { z } from 'zod';
import {
  attachment,
  MAX_ATTACHMENTS,
  type Attachment,
  type ContextAttachment,
  type FileAttachment,
} from '../../protocol/attachments.ts';
import type { Host } from '../answersConnection.ts';
import type { ChatFromHost } from '../../protocol/chatFromHost.ts';
import { reasonOf } from '../host.ts';
import { drawPicture, type KnownPicture } from '../state/drawPicture.ts';
import { t } from '../state/texts.ts';
import { droppedUris, holdsVsCodeFiles } from './droppedFiles.ts';
import { pdfData, prepareImage } from './prepareImage.ts';

export const chip = z.object({
  attachment,
  thumbnail: z.string().optional(),
  /** It came with a stored question. */
  isStored: z.literal(true).optional(),
});
export type Chip = z.infer<typeof chip>;

export type Proposed =
  | {
      readonly kind: 'attachment';
      readonly attachment: FileAttachment | ContextAttachment;
      /** The name that is defined in these lines. */
      readonly symbol?: string;
    }
  /** A branch or a checkpoint, which the user then chooses. */
  | { readonly kind: 'branch' };

export interface Proposal {
  readonly query: string;
  readonly proposed: readonly Proposed[];
}

/** This many files come before names defined in other files. */
const BEST_FILES = 3;

export class Attachments {
  readonly chips = signal<readonly Chip[]>([]);
  readonly proposal = signal<Proposal | undefined>(undefined);
  /** The data URL of each picture, by hash; null: it is no longer kept. */
  readonly shown = signal<ReadonlyMap<string, KnownPicture | null>>(new Map());
  private readonly asked = new Set<string>();
  private readonly failed = (error: unknown): void => this.fail(reasonOf(error));

  constructor(
    private readonly host: Host,
    private readonly fail: (text: string) => void,
  ) {}

  add(added: readonly Attachment[], more: Omit<Chip, 'attachment'> = {}): void {
    const known = new Set(this.chips.value.map((each) => JSON.stringify(each.attachment)));
    const fresh = added.filter((each) => !known.has(JSON.stringify(each)));
    const all = [...this.chips.value, ...fresh.map((each) => ({ attachment: each, ...more }))];
    if (all.length > MAX_ATTACHMENTS) this.fail(t('You can attach up to {0} items.', MAX_ATTACHMENTS));
    this.chips.value = all.slice(0, MAX_ATTACHMENTS);
  }

  /** Replaces the attachments from a stored question by those of another. */
  fill(added: readonly Attachment[]): void {
    this.chips.value = this.chips.value.filter(({ isStored }) => isStored !== true);
    this.add(added, { isStored: true });
  }

  remove(index: number): void {
    this.chips.value = this.chips.value.filter((_, each) => each !== index);
  }

  take(): Attachment[] {
    const taken = this.chips.value.map((each) => each.attachment);
    this.chips.value = [];
    return taken;
  }

  /** Problems with one are reported, and the others are added. */
  async addFiles(files: readonly { readonly blob: Blob; readonly name: string }[]): Promise<void> {
    for (const { blob, name } of files) {
      try {
        if (blob.type === 'application/pdf') {
          const data = await pdfData(blob, name);
          this.host
            .sendRequest({ type: 'addPdf', name: name.slice(-200), data })
            .then((added) => this.add([added.attachment]), this.failed);
          continue;
        }
        const { data, thumbnail } = await prepareImage(blob, name);
        this.host
          .sendRequest({ type: 'addImage', name: name.slice(0, 200), data })
          .then((added) => this.add([added.attachment], { thumbnail }), this.failed);
      } catch (error) {
        this.failed(error);
      }
    }
  }

  /** Adds what was dropped: files of VS Code by address, others by their bytes. */
  takeDropped(data: DataTransfer): void {
    const uris = holdsVsCodeFiles(data.types) ? droppedUris(data) : [];
    if (uris.length === 0) {
      void this.addFiles(filesOf(data));
      return;
    }
    if (uris.length > MAX_ATTACHMENTS) this.fail(t('You can attach up to {0} items.', MAX_ATTACHMENTS));
    this.host.send({ type: 'dropFiles', uris: uris.slice(0, MAX_ATTACHMENTS) });
  }

  propose(query: string): void {
    this.host
      .sendRequest({ type: 'proposeFiles', query })
      .then(({ paths, context = [], symbols = [], branch = false }) => {
        const attachment = (given: FileAttachment | ContextAttachment): Proposed => ({
          kind: 'attachment',
          attachment: given,
        });
        const files = paths.map((path) => attachment({ type: 'file', path }));
        const proposed: Proposed[] = [
          ...context.map(attachment),
          ...(branch ? [{ kind: 'branch' } as const] : []),
          ...files.slice(0, BEST_FILES),
          ...symbols.map(({ name, lines }) => ({ ...attachment(lines), symbol: name })),
          ...files.slice(BEST_FILES),
        ];
        this.proposal.value = { query, proposed };
      }, this.failed);
  }

  /** The picture of this hash once it is loaded; undefined until then, null when it is no longer kept. */
  image(hash: string): KnownPicture | null | undefined {
    if (!this.asked.has(hash)) {
      this.asked.add(hash);
      this.host.sendRequest({ type: 'loadImage', hash }).then(({ mediaType, data }) => {
        const address = data === undefined ? undefined : `data:${mediaType};base64,${data}`;
        return drawPicture(address, (picture) => {
          this.shown.value = new Map(this.shown.value).set(hash, picture ?? null);
        });
      }, this.failed);
    }
    return this.shown.value.get(hash);
  }

  takeOffered({ name, mediaType, data }: Extract<ChatFromHost, { type: 'imageOffered' }>): void {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    void this.addFiles([{ blob: new Blob([bytes], { type: mediaType }), name }]);
  }
}

export function filesOf(data: DataTransfer | null): { blob: Blob; name: string }[] {
  return [...(data?.files ?? [])].map((file) => ({
    blob: file,
    name: file.name === '' ? t('pasted image') : file.name,
  }));
}
