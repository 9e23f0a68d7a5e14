import { Place } from '../confined.ts';
import { installed } from '../installed.ts';
import { ModelServer } from '../modelServer.ts';
import { agents } from './agents.ts';
import { inspector } from './inspector.ts';
import { acts, NOTE, type Act, type McpProgram, type Told } from './mcpProgram.ts';
import { McpWorld, type Spoken } from './mcpWorld.ts';

const all = [...agents, inspector];

/** Installs the programs, from npm. */
export async function install(): Promise<void> {
  for (const program of all) await installed(program);
}

/** Installs the official MCP servers that `officialServers.test.ts` is about. @returns their folder */
export function installServers(): Promise<string> {
  const packages = ['everything', 'filesystem', 'memory'].map((name) => ({
    name: `@modelcontextprotocol/server-${name}`,
    version: '2026.8.31',
  }));
  return installed({ program: 'mcp-servers', name: 'MCP servers', packages });
}

/** Has each program use our MCP server, and prints what each did. @returns whether all of it held */
export async function run(): Promise<boolean> {
  const rows: string[] = [];
  const reasons: string[] = [];
  let isHeld = true;
  for (const program of all) {
    const problems = await problemsOf(program);
    isHeld &&= problems.length === 0;
    console.log(`${program.name}: ${problems.length === 0 ? 'ok' : 'WRONG'}`);
    for (const { act, problem } of problems) console.log(`  ${act}: ${problem}`);
    const wrong = new Set(problems.map(({ act }) => act));
    const { lacks = {} } = program;
    const cells = acts.map((act) => (wrong.has(act) ? 'WRONG' : lacks[act] === undefined ? 'ok' : '–'));
    for (const [act, reason] of Object.entries(lacks)) reasons.push(`– ${program.name}, ${act}: ${reason}`);
    rows.push(`| ${[program.name, program.packages[0]?.version, ...cells].join(' | ')} |`);
  }
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = ['', 'version', ...acts];
  console.log(['', line(head), line(head.map(() => '---')), ...rows, ...reasons].join('\n'));
  return isHeld;
}

interface Problem {
  readonly act: Act;
  readonly problem: string;
}

async function problemsOf(program: McpProgram): Promise<Problem[]> {
  await using world = await McpWorld.make();
  await using server = new ModelServer(() => undefined);
  await server.listen();
  await using place = await Place.make(program, await installed(program), server);
  try {
    await program.connect(place, world);
    const allowing = new AbortController();
    const allowed = world.allowOnce(allowing.signal);
    const told = await program.use(place).finally(() => allowing.abort());
    await allowed;
    const problems = [...heldAgainst(told, await world.spoken(), program), ...heldWrite(world)];
    return [...problems, ...server.refused.map((problem) => ({ act: 'connect', problem }) as const)];
  } catch (error) {
    return acts.map((act) => ({ act, problem: error instanceof Error ? error.message : String(error) }));
  }
}

/** What the program's model, or its user, got: the facts of the answers, in whichever form. */
function heldAgainst(
  { list, read, written }: Told,
  spoken: readonly Spoken[],
  { lacks = {} }: McpProgram,
): Problem[] {
  const problems: Problem[] = [];
  const expect = (act: Act, holds: boolean, problem: string): void => {
    if (!holds) problems.push({ act, problem });
  };
  const has = (text: string, ...facts: readonly string[]): boolean =>
    facts.every((fact) => text.includes(fact));
  const methods = new Set(
    spoken.flatMap(({ who, message }) => (who === 'client' ? (message.method ?? []) : [])),
  );
  expect(
    'connect',
    methods.has('notifications/initialized') && methods.has('tools/list'),
    [...methods].join(', '),
  );
  expect('list', has(list, 'Herons', 'main-v2', 'q1', 'a2', 'In tall trees.', 'In reed beds.'), list);
  expect('read', has(read, 'Where do herons nest?', 'In tall trees.') && !has(read, 'reed'), read);
  expect('write', has(written, 'The user allowed it.', 'main-v2'), written);
  const failed = spoken.filter(({ message }) => message.error !== undefined);
  expect('connect', failed.length === 0, JSON.stringify(failed));
  const isTold = spoken.some(({ message }) => message.method === 'notifications/progress');
  expect(
    'progress',
    isTold === (lacks.progress === undefined),
    isTold ? 'it is told' : 'it did not ask to be told',
  );
  return problems;
}

function heldWrite({ asked }: McpWorld): Problem[] {
  const text = JSON.stringify(asked);
  const isOne = asked.length === 1 && text.includes(NOTE) && text.includes('"program":"');
  return isOne ? [] : [{ act: 'write', problem: `the user was asked: ${text}` }];
}
