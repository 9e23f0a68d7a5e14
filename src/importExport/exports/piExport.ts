import { piProjectFolder, piSessions } from '../programs/piPlaces.ts';
import type { SessionAnswer, SessionExport, SessionPicture, SessionTurn } from './sessionExport.ts';

/** No provider of pi: it answers with the model that the user has there. */
const ORIGIN = { api: 'offshoot', provider: 'offshoot' };

/** What an answer cost is not known; pi estimates what it is not told. */
const UNKNOWN_USAGE = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** A session of the third version, whose entries are a list: a branch has no others. */
export const piExport: SessionExport = {
  program: 'pi',
  home: piSessions,
  write: ({ title, turns, folder, now, newId }) => {
    const id = newId();
    const timestamp = new Date(now).toISOString();
    const entries = [
      { type: 'session_info', at: now, name: title },
      ...turns.flatMap(messagesOf).map(({ at, message }) => ({ type: 'message', at, message })),
    ];
    const entryId = entryIds(id);
    const lines = entries.map(({ type, at, ...more }, index) => ({
      type,
      id: entryId(index),
      parentId: index === 0 ? null : entryId(index - 1),
      timestamp: new Date(at).toISOString(),
      ...more,
    }));
    const header = { type: 'session', version: 3, id, timestamp, cwd: folder };
    return {
      fileName: `${timestamp.replaceAll(/[:.]/gu, '-')}_${id}.jsonl`,
      bytes: new TextEncoder().encode([header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')),
      folders: [piProjectFolder(folder)],
      commands: (file) => [['pi', '--session', file]],
    };
  },
};

/** Sessions that have an entry in common are forks of each other: those of each begin somewhere else. */
function entryIds(sessionId: string): (index: number) => string {
  const first = Number.parseInt(sessionId.replaceAll('-', '').slice(-8), 16);
  return (index) => ((first + index) % 2 ** 32).toString(16).padStart(8, '0');
}

interface Message {
  readonly at: number;
  readonly message: object;
}

function messagesOf(turn: SessionTurn): Message[] {
  const { createdAt: at, text } = turn;
  const spoken = text === '' ? [] : [{ type: 'text', text }];
  if (turn.role === 'assistant') return answerMessages(turn, spoken);
  return [
    { at, message: { role: 'user', content: [...spoken, ...turn.pictures.map(image)], timestamp: at } },
  ];
}

function answerMessages(
  { calls, model = 'unknown', createdAt: at }: SessionAnswer,
  spoken: readonly object[],
): Message[] {
  const content = [
    ...spoken,
    ...calls.map(({ id, name, input }) => ({ type: 'toolCall', id, name, arguments: input })),
  ];
  const stopReason = calls.length > 0 ? 'toolUse' : 'stop';
  const answer = { role: 'assistant', content, ...ORIGIN, model, usage: UNKNOWN_USAGE, stopReason };
  return [
    { at, message: { ...answer, timestamp: at } },
    ...calls.map(({ id, name, result, isError, pictures }) => ({
      at,
      message: {
        role: 'toolResult',
        toolCallId: id,
        toolName: name,
        content: [{ type: 'text', text: result }, ...pictures.map(image)],
        isError,
        timestamp: at,
      },
    })),
  ];
}

function image({ mediaType, base64 }: SessionPicture): object {
  return { type: 'image', data: base64, mimeType: mediaType };
}
