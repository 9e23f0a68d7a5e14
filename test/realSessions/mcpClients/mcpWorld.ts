import { readFile, rm, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  configFiles,
  launcherText,
  withServer,
  type ServerEntry,
} from '../../../src/extension/mcp/mcpConfig.ts';
import { jsonc } from '../../../src/extension/pages/themeFile.ts';
import { heronsFolder } from '../../fixtures/mcp/heronsFolder.ts';
import { WindowProcess } from '../../fixtures/mcp/windowProcess.ts';
import { until } from '../../fixtures/until.ts';

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      uri: z.string().optional(),
      protocolVersion: z.string().optional(),
      clientInfo: z.looseObject({ name: z.string(), version: z.string() }).optional(),
      _meta: z.looseObject({ progressToken: z.unknown() }).optional(),
    })
    .optional(),
  error: z.unknown().optional(),
});
const spoken = z.object({ who: z.enum(['client', 'server']), message });
export type Spoken = z.infer<typeof spoken>;

const LIMIT_MS = 120_000;

/** Conversations with a window that has them open, and the MCP server as the command adds it. */
export class McpWorld implements AsyncDisposable {
  private constructor(
    private readonly folder: string,
    private readonly window: WindowProcess,
    readonly entry: ServerEntry,
  ) {}

  static async make(): Promise<McpWorld> {
    const made = await heronsFolder();
    const folder = `${made}-world`;
    const storage = path.join(folder, 'conversations');
    await mkdir(folder);
    await rename(made, storage);
    const launcher = path.join(folder, 'offshoot-mcp.mjs');
    const program = path.resolve('out/test/realSessions/mcpClients/tee.child.cjs');
    await writeFile(launcher, launcherText({ folder, prefix: 'offshoot.offshoot-', program, isFirst: true }));
    const entry = { type: 'stdio', command: 'node', args: [launcher, '--storage', storage] } as const;
    return new McpWorld(folder, await WindowProcess.open(storage), entry);
  }

  /** What the command writes to `.mcp.json`, and copies for other programs. */
  get config(): string {
    return withServer(jsonc, undefined, configFiles.shared, this.entry);
  }

  /** Everything that client and server said to each other. */
  async spoken(): Promise<Spoken[]> {
    const text = await readFile(path.join(this.folder, 'spoken.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => spoken.parse(JSON.parse(line)));
  }

  /**
   * Lets the user allow the next write, but not before the program was told that it takes time, if it wants to be told.
   * @param signal the program has ended: nothing will be asked any more
   */
  async allowOnce(signal: AbortSignal): Promise<void> {
    this.window.tell({ kind: 'answer', policy: 'never' });
    await until(() => signal.aborted || this.window.asked.length > 0, 'a question to the user', LIMIT_MS);
    const calls = (await this.spoken()).filter(({ message: { params } }) => params?.name === 'add_note');
    const wantsProgress = calls.some(({ message: { params } }) => params?._meta?.progressToken !== undefined);
    if (wantsProgress && !signal.aborted) {
      const isTold = ({ message: { method } }: Spoken): boolean => method === 'notifications/progress';
      await until(async () => (await this.spoken()).some(isTold), 'a notice of progress', LIMIT_MS);
    }
    this.window.tell({ kind: 'answer', policy: 'allow' });
  }

  /** What the user was asked. */
  get asked(): readonly unknown[] {
    return this.window.asked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.window[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
