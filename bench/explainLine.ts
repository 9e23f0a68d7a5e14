// How long another program waits to be told why a line is as it is, in a folder of many chats.
//   npm run bench:lines
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileVersion } from '../src/engine/effects.ts';
import { ContextEngine } from '../src/engine/contextEngine.ts';
import { assistant, user } from '../src/engine/fragments/index.ts';
import { LOCAL_USER } from '../src/engine/users.ts';
import { nodePlatform } from '../src/host/node/nodePlatform.ts';
import type { FileLocation } from '../src/host/workspaceFiles.ts';
import { explainLine } from '../src/mcp/reading/explainLine.ts';
import { DurableContextStore } from '../src/store/durableContextStore.ts';
import { followFolder } from '../src/store/followFolder.ts';
import { least, tell } from './measure.ts';

const CHATS = 100;
const MESSAGES = 200;
const FILES = 50;
const LINES = 300;
const FOLDER = 'file:///work';

const onError = (error: unknown): void => {
  throw error;
};
const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-bench-'));
const platform = nodePlatform('dist');
const writer = new DurableContextStore({ folder, platform, onError, onRecovery: () => undefined });
const texts = new Map<string, string>();
const put = async (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return { hash: await writer.blobs.put(bytes), size: bytes.length };
};
let at = 1;
const before = new Map<string, FileVersion>();
for (let chat = 0; chat < CHATS; chat++) {
  const chatId = `chat-${chat}`;
  const engine = new ContextEngine({ store: writer, chatId, userId: LOCAL_USER });
  for (let number = 0; number < MESSAGES / 2; number++) {
    const name = `src/file${(chat * MESSAGES + number) % FILES}.ts`;
    const lines = (texts.get(name) ?? '').split('\n');
    if (lines.length < LINES)
      for (let line = 0; line < LINES; line++) lines.push(`const v${line} = ${line};`);
    lines[(chat * 7 + number) % LINES] = `const changed${chat} = compute(${number});`;
    const text = lines.join('\n');
    texts.set(name, text);
    const after = await put(text);
    engine.files.add({ folder: FOLDER, path: name, before: before.get(name) ?? null, after, at: at++ });
    before.set(name, after);
    engine.set(user(`Change ${name}`), assistant('Done as you wanted. '.repeat(40)));
    await engine.save();
  }
  await engine.close();
}
await writer.close();

const followed = followFolder({ folder, platform, onError });
const text = ({ path: name }: FileLocation): Promise<string | undefined> => Promise.resolve(texts.get(name));
const { store } = followed;
const reading = { store, userId: LOCAL_USER, files: { folders: () => [FOLDER], text } };
const explain =
  (line: number, endLine = line) =>
  async (): Promise<void> => {
    await followed.look();
    await explainLine.run(reading, { path: 'src/file7.ts', line, endLine });
  };
tell(`A first answer, ${CHATS} chats of ${MESSAGES} messages`, await least(1, explain(100)), 'ms');
tell('A further one', await least(9, explain(100)), 'ms');
tell(`One about ${LINES} lines`, await least(3, explain(1, LINES)), 'ms');
followed.dispose();
await rm(folder, { recursive: true, force: true });
