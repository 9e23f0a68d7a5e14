import { z } from 'zod';
import { CheckpointExistsError } from '../../engine/errors.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { ProgramWrites } from '../../conversation/programWrites.ts';
import { shownText } from '../../importExport/messageMarkdown.ts';
import { askedWrite, type AskedWrite, type WrittenAnswer } from '../../mcp/asking/askedWrites.ts';
import { ToolFailure, type Reading } from '../../mcp/reading/readingTool.ts';
import { visibleBranch, visibleChat, visibleMessage } from '../../mcp/reading/visible.ts';
import type { Question } from '../../store/windows/guestQuestions.ts';

/** Exactly what is then written. */
export interface WriteQuestion {
  /** The name the program gives itself. */
  readonly program: string;
  readonly chatTitle: string;
  readonly what:
    /** The text of the message which gets the name. */
    | { readonly kind: 'checkpoint'; readonly name: string; readonly text: string }
    | { readonly kind: 'note'; readonly branch: string; readonly text: string }
    | { readonly kind: 'summary'; readonly from: string; readonly into: string; readonly text: string };
}

interface Prepared {
  readonly what: WriteQuestion['what'];
  readonly write: (writes: ProgramWrites) => Promise<WrittenAnswer>;
}

/** Impossible requests are refused at once; the user decides on the others. */
export class AskedAnswers {
  /** One question at a time: two would overlap. */
  private readonly asking = new Sequencer();

  constructor(
    private readonly deps: {
      readonly reading: Reading;
      readonly writes: () => Promise<ProgramWrites>;
      /** @returns whether the user allows it @throws the reason of the signal */
      readonly askUser: (question: WriteQuestion, signal: AbortSignal) => Promise<boolean>;
      /** The label of a branch for users. */
      readonly labelOf: (chatId: string, branch: string) => Promise<string>;
    },
  ) {}

  /** @throws ToolFailure, what the write throws, or the reason of the signal */
  async answer({ given, signal }: Question): Promise<WrittenAnswer> {
    const asked = read(given);
    const { reading, writes, askUser } = this.deps;
    return this.asking.run(async () => {
      signal.throwIfAborted();
      const { title = '' } = await visibleChat(reading, asked.given.chat);
      const { what, write } = await this.prepare(asked);
      if (!(await askUser({ program: asked.program, chatTitle: title, what }, signal))) {
        throw new ToolFailure(
          'declined',
          'The user declined. Nothing was written. Ask again only if they want you to.',
        );
      }
      signal.throwIfAborted();
      return write(await writes());
    });
  }

  private async prepare(asked: AskedWrite): Promise<Prepared> {
    switch (asked.name) {
      case 'create_checkpoint':
        return this.checkpoint(asked);
      case 'add_note':
        return this.note(asked);
      case 'merge_summary':
        return this.summary(asked);
    }
  }

  private async checkpoint({ given }: AskedWrite & { name: 'create_checkpoint' }): Promise<Prepared> {
    const { reading } = this.deps;
    const { chat: chatId, name, branch, message } = given;
    const at = message ?? (await visibleBranch(reading, chatId, branch)).headMessageId;
    if (at === null) throw new ToolFailure('conversation-empty', 'Nothing has been said on this branch yet.');
    const marked = await visibleMessage(reading, chatId, at);
    if (await reading.store.getCheckpoint(chatId, name)) throw new CheckpointExistsError(name);
    const { branch: where } = await this.placeOf(chatId, marked.id);
    return {
      what: { kind: 'checkpoint', name, text: shownText(marked) },
      write: async (writes) => {
        await writes.createCheckpoint({ chatId, name, messageId: marked.id, program: '' });
        return { branch: where, message: marked.id };
      },
    };
  }

  private async note({ program, given }: AskedWrite & { name: 'add_note' }): Promise<Prepared> {
    const { chat: chatId, text } = given;
    const { name } = await visibleBranch(this.deps.reading, chatId, given.branch);
    return {
      what: { kind: 'note', branch: await this.deps.labelOf(chatId, name), text },
      write: async (writes) => {
        const { branch, messageId } = await writes.addNote({ chatId, branch: name, text, program });
        return { branch, message: messageId };
      },
    };
  }

  private async summary({ program, given }: AskedWrite & { name: 'merge_summary' }): Promise<Prepared> {
    const { reading, labelOf } = this.deps;
    const { chat: chatId, text } = given;
    const from = (await visibleBranch(reading, chatId, given.from)).name;
    const into = (await visibleBranch(reading, chatId, given.into)).name;
    await (await this.deps.writes()).requireOwnPart(chatId, from, into);
    const [fromLabel, intoLabel] = [await labelOf(chatId, from), await labelOf(chatId, into)];
    return {
      what: { kind: 'summary', from: fromLabel, into: intoLabel, text },
      write: async (writes) => {
        const { branch, messageId } = await writes.mergeSummary({ chatId, from, into, text, program });
        return { branch, message: messageId };
      },
    };
  }

  private async placeOf(chatId: string, messageId: string): Promise<{ readonly branch: string }> {
    const { store, userId } = this.deps.reading;
    const branch = await store.findBranchUsedWith(chatId, messageId, { userId });
    return { branch: branch?.name ?? '' };
  }
}

function read(given: unknown): AskedWrite {
  try {
    return askedWrite.parse(given);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    // The server has checked it, so the sender is not ours, or is of another version.
    throw new ToolFailure('invalid-input', 'The window did not understand what was asked. Update Offshoot.');
  }
}
