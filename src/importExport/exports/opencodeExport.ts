import type {
  SessionAnswer,
  SessionBranch,
  SessionExport,
  SessionPicture,
  SessionQuestion,
} from './sessionExport.ts';

/** As `opencode import` reads it: what `opencode export` writes. */
export const opencodeExport: SessionExport = {
  program: 'opencode',
  write: (branch) => {
    const writing = new SessionWriter(branch);
    const { id, session } = writing.session();
    return {
      fileName: `${id}.json`,
      bytes: new TextEncoder().encode(`${JSON.stringify(session, null, 2)}\n`),
      commands: (file) => [
        ['opencode', 'import', file],
        ['opencode', '--session', id],
      ],
    };
  },
};

/** What no model is known to have written. */
const UNKNOWN = 'unknown';

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

class SessionWriter {
  private readonly sessionID: string;
  private count = 0;
  private lastQuestion = '';

  constructor(private readonly branch: SessionBranch) {
    // Newer sessions have smaller ids.
    this.sessionID = this.id('ses', MASK - stamp(branch.now, 0));
  }

  session(): { readonly id: string; readonly session: object } {
    const { branch, sessionID: id } = this;
    const { title, folder, now, turns } = branch;
    const messages = turns.map((turn) => (turn.role === 'user' ? this.question(turn) : this.answer(turn)));
    const time = { created: turns[0]?.createdAt ?? now, updated: now };
    const info = {
      id,
      slug: 'offshoot',
      projectID: 'global',
      directory: folder,
      title,
      version: '1.2.0',
      time,
    };
    return { id, session: { info, messages } };
  }

  private question({ text, pictures, createdAt }: SessionQuestion): object {
    const id = this.next('msg');
    this.lastQuestion = id;
    const { sessionID } = this;
    const model = { providerID: UNKNOWN, modelID: UNKNOWN };
    return {
      info: { id, sessionID, role: 'user', time: { created: createdAt }, agent: 'build', model },
      parts: [
        ...(text === '' ? [] : [this.part(id, { type: 'text', text })]),
        ...pictures.map((picture) => this.part(id, fileOf(picture))),
      ],
    };
  }

  private answer({ text, calls, model = UNKNOWN, createdAt }: SessionAnswer): object {
    const id = this.next('msg');
    const { sessionID, lastQuestion: parentID } = this;
    const { folder } = this.branch;
    const time = { start: createdAt, end: createdAt };
    return {
      info: {
        ...({ id, sessionID, parentID, role: 'assistant', mode: 'build', agent: 'build' } as const),
        ...{ path: { cwd: folder, root: folder }, cost: 0, tokens: NO_TOKENS },
        ...{ providerID: UNKNOWN, modelID: model },
        time: { created: createdAt, completed: createdAt },
        finish: calls.length === 0 ? 'stop' : 'tool-calls',
      },
      parts: [
        ...(text === '' ? [] : [this.part(id, { type: 'text', text, time })]),
        ...calls.map(({ id: callID, name: tool, input, result, isError, pictures }) => {
          const attachments = pictures.map((picture) => this.part(id, fileOf(picture)));
          const state = isError
            ? { status: 'error', input, error: result, time }
            : {
                ...({ status: 'completed', input, output: result, title: tool, metadata: {}, time } as const),
                ...(attachments.length === 0 ? {} : { attachments }),
              };
          return this.part(id, { type: 'tool', callID, tool, state });
        }),
      ],
    };
  }

  private part(messageID: string, part: object): object {
    return { id: this.next('prt'), sessionID: this.sessionID, messageID, ...part };
  }

  /** Smaller than what the program makes from now on: it sorts by ids. */
  private next(kind: 'msg' | 'prt'): string {
    this.count += 1;
    return this.id(kind, stamp(this.branch.now - EARLIER, this.count));
  }

  private id(kind: string, value: bigint): string {
    const hex = (value & MASK).toString(16).padStart(12, '0');
    return `${kind}_${hex}${this.branch.newId().replaceAll('-', '').slice(0, 14)}`;
  }
}

const MASK = 0xffff_ffff_ffffn;

/** Room for as many ids as a branch can have, in milliseconds. */
const EARLIER = 60_000;

/** The time in milliseconds and a number, in 48 bits. */
function stamp(time: number, count: number): bigint {
  return BigInt(Math.floor(time)) * 0x1000n + BigInt(count);
}

function fileOf({ mediaType, base64 }: SessionPicture): object {
  const filename = `picture.${mediaType.replace(/^image\//u, '')}`;
  return { type: 'file', mime: mediaType, filename, url: `data:${mediaType};base64,${base64}` };
}
