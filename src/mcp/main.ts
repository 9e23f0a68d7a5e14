// The program that MCP clients start: `node mcp.mjs --storage <folder>`. It uses standard input and output. The
// password of a shared store is passed in PGPASSWORD, never as an argument, which others on the machine may read.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { pathOf, uriOf } from '../host/node/fileUris.ts';
import { GitHistory } from '../host/node/gitHistory.ts';
import { nodePlatform } from '../host/node/nodePlatform.ts';
import type { PostgresStoreOptions } from '../store/postgres/sharedStore.ts';
import { createMcpServer } from './server/mcpServer.ts';
import type { Event, Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { LOCAL_USER } from '../engine/users.ts';
import type { Platform } from '../host/platform.ts';
import { PostgresContextStore } from '../store/postgres/postgresContextStore.ts';
import { followFolder } from '../store/followFolder.ts';
import type { HistorySource } from '../lineOrigins/lineOrigins.ts';
import { utf8TextOf } from '../lineOrigins/utf8Text.ts';
import { uriOfLocation, type ReadingFiles } from './reading/readingFiles.ts';
import type { Reading } from './reading/readingTool.ts';
import type { Ask } from './server/serverTools.ts';

/** How long the user may take to answer, in milliseconds, unless `--ask-seconds` is set. */
const ASK_MS = 300_000;

/** Replaced with the version of package.json at build time. */
declare const OFFSHOOT_VERSION: string;

const USAGE = `Usage: node mcp.mjs --storage <folder of the conversations> [--ask-seconds <seconds>]
  [--shared <address of a shared store> [--machine <its name there>] [--certificate-authority <file>]
    [--allow-plain-connection]]`;

/** The log on stderr: stdout belongs to the protocol. Reports failures, and nothing from conversations. */
function report(error: unknown): void {
  const text =
    error instanceof Error ? `${error.name} ${(error.stack ?? '').split('\n').slice(1, 4).join(' ')}` : '';
  process.stderr.write(`offshoot-mcp: ${text}\n`);
}

function readArguments(): { readonly place: StorePlace; readonly askMs: number } | undefined {
  try {
    const options = {
      storage: { type: 'string' },
      'ask-seconds': { type: 'string' },
      shared: { type: 'string' },
      machine: { type: 'string' },
      'certificate-authority': { type: 'string' },
      'allow-plain-connection': { type: 'boolean' },
    } as const;
    const {
      storage: folder,
      'ask-seconds': seconds,
      shared,
      machine,
      ...how
    } = parseArgs({ options }).values;
    const askMs = seconds === undefined ? ASK_MS : Number(seconds) * 1_000;
    if (!folder || !(askMs > 0 && askMs < 2 ** 31)) return undefined;
    if (shared === undefined) return { place: { kind: 'folder', folder }, askMs };
    const authority = how['certificate-authority'];
    const server: PostgresStoreOptions = {
      connectionString: shared,
      applicationName: 'Offshoot MCP server',
      maxConnections: 2,
      migrate: false,
      allowPlainConnection: how['allow-plain-connection'] ?? false,
      // Its folders are those of this machine.
      ...(machine === undefined ? {} : { machine }),
      ...(authority === undefined ? {} : { ca: readFileSync(authority, 'utf8') }),
    };
    return { place: { kind: 'shared', folder, server }, askMs };
  } catch {
    // An unknown option or a missing file.
    return undefined;
  }
}

const given = readArguments();
if (!given) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
const platform = nodePlatform(import.meta.dirname);
const opened = openStore(given.place, { platform, onError: report });
const server = createMcpServer({ ...opened, askMs: given.askMs, version: OFFSHOOT_VERSION, onError: report });
// Its client has disconnected: pending work is useless.
process.stdin.once('end', () => process.exit(0));
process.stdout.once('error', () => process.exit(0));
await server.connect(new StdioServerTransport());

/** Where conversations are stored. The folder is also where a window is contacted, even for a shared store. */
type StorePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'shared'; readonly folder: string; readonly server: PostgresStoreOptions };

interface OpenedStore extends Disposable {
  readonly reading: Reading;
  readonly onDidRefresh: Event<undefined>;
  /** Updates what is read; omitted: it is always current. */
  readonly look?: () => Promise<void>;
  readonly ask?: Ask;
}

/** Nothing is read before the first request. */
function openStore(
  place: StorePlace,
  { platform, onError }: { readonly platform: Platform; readonly onError: (error: unknown) => void },
): OpenedStore {
  const { store, ...followed } = followFolder({ folder: place.folder, platform, onError });
  const git = new GitHistory();
  const history: HistorySource = { open: () => Promise.resolve(git), onError };
  if (place.kind === 'folder')
    return { ...followed, reading: { store, userId: LOCAL_USER, files: filesOf(platform), history } };
  const shared = new PostgresContextStore(place.server);
  const refreshed = new Emitter<undefined>();
  const connection = shared.onDidChangeConnection(({ kind }) => {
    // Reads changes made by others while it was disconnected.
    if (kind === 'connected') refreshed.fire(undefined);
  });
  return {
    reading: {
      store: shared,
      authors: { authorsOf: (chatId, ids) => shared.getAuthors(chatId, ids) },
      userId: roleOf(place.server.connectionString),
      files: filesOf(platform),
      history,
    },
    onDidRefresh: refreshed.event,
    ask: (name, given, signal) => followed.ask(name, given, signal),
    dispose: () => {
      connection.dispose();
      refreshed.dispose();
      followed.dispose();
      shared.close().catch(onError);
    },
  };
}

/** A program is mostly started in the folder that it works in. The folders of other machines are not here. */
function filesOf({ files }: Platform): ReadingFiles {
  const here = uriOf(process.cwd());
  return {
    folders: (recorded) => [...new Set([...recorded.filter((each) => each.startsWith('file:')), here])],
    text: async (location) => {
      // A folder, or a file that this user may not read.
      const bytes = await files.read(pathOf(uriOfLocation(location))).catch(() => undefined);
      return bytes && utf8TextOf(bytes);
    },
  };
}

function roleOf(address: string): string {
  return URL.canParse(address) ? decodeURIComponent(new URL(address).username) : '';
}
