import assert from 'node:assert/strict';
import type { ApprovalChoice, PendingApproval } from '../../src/agent/tools/approvals.ts';
import { webTools } from '../../src/agent/tools/web/webTools.ts';
import type { NodeWebReaderOptions } from '../../src/host/node/nodeWebReader.ts';
import { answer, toolResultsOf, useTools, type Reply } from '../fixtures/openaiServer.ts';
import { testReader } from '../fixtures/webServer.ts';
import { newWorld, type World } from './agentWorld.ts';
import { Person } from './writingWorld.ts';

export interface WebWorld {
  readonly world: World;
  readonly person: Person;
  readonly log: string[];
}

export interface WebWorldOptions extends NodeWebReaderOptions {
  readonly choose?: (asked: PendingApproval) => ApprovalChoice | undefined;
  readonly mode?: 'agent' | 'ask' | 'plan';
}

/** A model that fetches pages, and a user who answers. */
export async function webWorld(
  script: readonly Reply[],
  { choose = () => 'once', mode = 'agent', ...options }: WebWorldOptions = {},
): Promise<WebWorld & AsyncDisposable> {
  const person = new Person(choose);
  const log: string[] = [];
  const tools = webTools({
    load: () => import('../../src/agent/tools/web/fetchPage.ts'),
    reader: () => Promise.resolve(testReader(options)),
    log: (line) => void log.push(line),
    allowedHosts: () => [],
  });
  const { approvals } = person;
  const world = await newWorld({ script: [...script], tools: () => tools, approvals, mode: () => mode });
  return { world, person, log, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

export const fetch = (url: string, offset?: number) =>
  ['fetch_page', { url, ...(offset === undefined ? {} : { offset }) }] as const;

export const results = ({ server }: World): string[] =>
  toolResultsOf(server.requests.at(-1) ?? assert.fail('nothing was asked')).map(({ result }) => result);

export const asked = ({ person }: WebWorld): (string | undefined)[] =>
  person.asked.map(({ page: shown }) => shown?.url);

export interface Fetched {
  readonly result: string;
  readonly asked: readonly (string | undefined)[];
  readonly log: readonly string[];
  readonly web: WebWorld;
}

/** What one call comes to, and what the user was asked. */
export async function fetching(url: string, options: WebWorldOptions = {}): Promise<Fetched> {
  await using web = await webWorld([useTools(fetch(url)), answer('ok')], options);
  await web.world.answered('?');
  return { result: results(web.world)[0] ?? '', asked: asked(web), log: web.log, web };
}
