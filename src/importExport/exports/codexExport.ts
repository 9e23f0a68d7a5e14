import { codexHome } from '../programs/codex/codexHome.ts';
import type {
  SessionAnswer,
  SessionCall,
  SessionExport,
  SessionPicture,
  SessionQuestion,
} from './sessionExport.ts';

/** Codex shows sessions of its terminal in its list, whatever began them. */
const ORIGIN = { originator: 'offshoot', cli_version: '0.0.0', source: 'cli' };

/** A rollout that has all of its session, as in the versions before forks shared their beginnings: all read it. */
export const codexExport: SessionExport = {
  program: 'codex',
  home: (files) => codexHome(files, 'sessions'),
  write: ({ turns, folder, now, newId }) => {
    const id = newId();
    const timestamp = new Date(now).toISOString();
    const lines = [
      line(now, 'session_meta', { id, timestamp, cwd: folder, ...ORIGIN }),
      ...turns.flatMap((turn) => (turn.role === 'user' ? questionLines(turn) : answerLines(turn))),
    ];
    const [day = '', time = ''] = timestamp.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).split('T');
    return {
      fileName: `rollout-${day}T${time.replaceAll(':', '-')}-${id}.jsonl`,
      bytes: new TextEncoder().encode(lines.join('')),
      folders: day.split('-'),
      commands: () => [['codex', 'resume', id]],
    };
  },
};

/** What the model is sent, and what the program shows. */
function questionLines({ text, pictures, createdAt }: SessionQuestion): string[] {
  const content = [...(text === '' ? [] : [{ type: 'input_text', text }]), ...pictures.map(pictureItem)];
  return [
    line(createdAt, 'response_item', { type: 'message', role: 'user', content }),
    line(createdAt, 'event_msg', { type: 'user_message', message: text, images: pictures.map(urlOf) }),
  ];
}

function answerLines({ text, calls, createdAt }: SessionAnswer): string[] {
  const content = [{ type: 'output_text', text }];
  const spoken = [
    line(createdAt, 'response_item', { type: 'message', role: 'assistant', content }),
    line(createdAt, 'event_msg', { type: 'agent_message', message: text }),
  ];
  return [
    ...(text === '' ? [] : spoken),
    ...calls.map(({ id, name, input }) =>
      line(createdAt, 'response_item', {
        ...({ type: 'function_call', name, arguments: JSON.stringify(input), call_id: id } as const),
      }),
    ),
    ...calls.map((call) => line(createdAt, 'response_item', resultItem(call))),
  ];
}

function resultItem({ id, result, pictures }: SessionCall): object {
  const output =
    pictures.length === 0 ? result : [{ type: 'input_text', text: result }, ...pictures.map(pictureItem)];
  return { type: 'function_call_output', call_id: id, output };
}

function pictureItem(picture: SessionPicture): object {
  return { type: 'input_image', image_url: urlOf(picture) };
}

function urlOf({ mediaType, base64 }: SessionPicture): string {
  return `data:${mediaType};base64,${base64}`;
}

function line(at: number, type: string, payload: object): string {
  return `${JSON.stringify({ timestamp: new Date(at).toISOString(), type, payload })}\n`;
}
