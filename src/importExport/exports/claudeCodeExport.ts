import type {
  SessionAnswer,
  SessionBranch,
  SessionCall,
  SessionExport,
  SessionPicture,
  SessionQuestion,
} from './sessionExport.ts';
import { claudeFolder, claudeHome } from '../programs/claudeCodePlaces.ts';

/** What Claude Code itself names where no model answered. */
const NO_MODEL = '<synthetic>';

/** A session with a record on each line, each naming the one before, as Claude Code writes them itself. */
export const claudeCodeExport: SessionExport = {
  program: 'claude-code',
  home: claudeHome,
  write: (branch) => {
    const writing = new SessionWriter(branch);
    for (const turn of branch.turns) {
      if (turn.role === 'user') writing.ask(turn);
      else writing.answer(turn);
    }
    return {
      fileName: `${writing.sessionId}.jsonl`,
      bytes: new TextEncoder().encode(writing.text),
      folders: [claudeFolder(branch.folder)],
      commands: () => [['claude', '--resume', writing.sessionId]],
    };
  },
};

class SessionWriter {
  readonly sessionId: string;
  private readonly lines: string[] = [];
  private above: string | null = null;

  constructor(private readonly branch: Pick<SessionBranch, 'title' | 'folder' | 'newId'>) {
    this.sessionId = branch.newId();
    this.lines.push(
      JSON.stringify({ type: 'custom-title', customTitle: branch.title, sessionId: this.sessionId }),
    );
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  ask({ text, pictures, createdAt }: SessionQuestion): void {
    const content = [...textBlocks(text), ...pictures.map(pictureBlock)];
    this.add('user', createdAt, { role: 'user', content: pictures.length === 0 ? text : content });
  }

  answer({ text, calls, model, createdAt }: SessionAnswer): void {
    this.add('assistant', createdAt, {
      id: `msg_${this.branch.newId()}`,
      type: 'message',
      role: 'assistant',
      model: model ?? NO_MODEL,
      content: [
        ...textBlocks(text),
        ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
      ],
      stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    if (calls.length > 0) this.add('user', createdAt, { role: 'user', content: calls.map(resultBlock) });
  }

  private add(type: 'user' | 'assistant', createdAt: number, message: object): void {
    const uuid = this.branch.newId();
    const record = {
      parentUuid: this.above,
      isSidechain: false,
      userType: 'external',
      cwd: this.branch.folder,
      sessionId: this.sessionId,
      type,
      message,
      uuid,
      timestamp: new Date(createdAt).toISOString(),
    };
    this.lines.push(JSON.stringify(record));
    this.above = uuid;
  }
}

function textBlocks(text: string): object[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function pictureBlock({ mediaType, base64 }: SessionPicture): object {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } };
}

function resultBlock({ id, result, isError, pictures }: SessionCall): object {
  const content = pictures.length === 0 ? result : [...textBlocks(result), ...pictures.map(pictureBlock)];
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
}
