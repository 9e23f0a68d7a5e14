import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Place } from './confined.ts';
import type { Driver } from './driver.ts';
import { heldWhenResumed } from './exported.ts';
import { flows, replyTo, TITLE, turnsOf, type Flow } from './flows.ts';
import { held } from './heldSample.ts';
import { installed } from './installed.ts';
import { matrixOf, reasonsOf, type Cell, type Row } from './matrix.ts';
import { ModelServer } from './modelServer.ts';
import { drivers } from './programs/all.ts';
import { laidOut, neutralized, writeSample, type Files, type Sample } from './sample.ts';
import { texts, type Exchange } from './said.ts';
import { waysOf } from './told.ts';

export interface Options {
  /** Default: all. */
  readonly programs: readonly string[];
  readonly flow?: string | undefined;
  /** Writes the samples of what was held. */
  readonly writesSamples: boolean;
  /** Where what the programs wrote is left. */
  readonly keeps?: string | undefined;
}

/** The name of what is driven besides the flows: a branch of ours that the program continues. */
const EXPORTED = 'exported';

function chosen({ programs, flow = EXPORTED }: Options): readonly Driver[] {
  const known: readonly string[] = [...flows, EXPORTED];
  if (!known.includes(flow)) throw new Error(`There is no flow ${flow}, only ${known.join(', ')}.`);
  const unknown = programs.filter((name) => !drivers.some(({ program }) => program === name));
  if (unknown.length > 0) throw new Error(`There is no driver for ${unknown.join(', ')}.`);
  return drivers.filter(({ program }) => programs.length === 0 || programs.includes(program));
}

/** Installs the programs at their versions. */
export async function install(options: Options): Promise<void> {
  for (const driver of chosen(options)) await installed(driver);
}

/** Drives the programs, imports what they wrote and prints the matrix. @returns whether all of it held */
export async function run(options: Options): Promise<boolean> {
  const rows: Row[] = [];
  const resumed: string[] = [];
  let allResumed = true;
  for (const driver of chosen(options)) {
    const cells: Partial<Record<Flow, Cell>> = {};
    for (const flow of flows) {
      if (options.flow !== undefined && options.flow !== flow) continue;
      cells[flow] = await cellOf(driver, flow, options);
      console.log(`${driver.name}, ${flow}: ${cells[flow].state}`);
      if (cells[flow].state === 'wrong') console.log(`  ${cells[flow].problems.join('\n  ')}`);
    }
    if (options.flow === undefined || options.flow === EXPORTED) {
      const problems = await heldWhenResumed(driver, await installed(driver));
      if (problems) {
        resumed.push(`${driver.name}, ${EXPORTED}: ${problems.length === 0 ? 'resumed' : 'WRONG'}`);
        if (problems.length > 0) resumed.push(...problems.map((problem) => `  ${problem}`));
        allResumed &&= problems.length === 0;
      }
    }
    rows.push({ name: driver.name, version: driver.packages[0]?.version ?? '', cells });
  }
  const driven = options.flow === EXPORTED ? [] : [matrixOf(rows), reasonsOf(rows)];
  console.log(`\n${[...driven, ...resumed].join('\n')}`);
  return (
    allResumed && rows.every(({ cells }) => Object.values(cells).every(({ state }) => state !== 'wrong'))
  );
}

async function cellOf(driver: Driver, flow: Flow, options: Options): Promise<Cell> {
  const drive = driver.flows[flow];
  if ('cannot' in drive) return { state: 'cannot', reason: drive.cannot };
  const turns = turnsOf(flow, driver.tools);
  await using server = new ModelServer((request) => {
    const reply = driver.ofProgram?.(request) ?? replyTo(turns, request);
    const { inputTokens } = driver;
    return reply && inputTokens !== undefined ? { ...reply, inputTokens } : reply;
  });
  await server.listen();
  await using place = await Place.make(driver, await installed(driver), server);
  const tasks = JSON.stringify(turns.flatMap(({ replies }) => replies.flatMap(({ calls = [] }) => calls)));
  const asks = turns.map(({ ask }) => ask).filter((ask) => !tasks.includes(ask));
  let before: Files | undefined;
  server.onRequest = async (request) => {
    const last = asks.length > 1 ? asks.at(-1) : undefined;
    if (before || last === undefined) return;
    if (texts(request.said, 'user').some((text) => text.includes(last))) before = await place.kept();
  };
  const from = Date.now();
  try {
    await drive(place, asks);
  } catch (error) {
    const problems = [error instanceof Error ? error.message : String(error), ...server.refused];
    return { state: 'wrong', problems };
  }
  const told = {
    program: driver.program,
    version: driver.packages[0]?.version ?? '',
    date: new Date(from).toISOString().slice(0, 'yyyy-mm-dd'.length),
    from,
    to: Date.now(),
    title: titleIn(server.record),
    ways: waysOf(server.record, turns),
  };
  const sample = { told, files: await place.kept(), before };
  if (options.keeps !== undefined) await keep(path.join(options.keeps, driver.program, flow), sample, server);
  const problems = [
    ...server.refused.map((each) => `refused: ${each}`),
    ...(await held(sample, place.project, driver)),
  ];
  if (options.writesSamples) {
    await writeSample(driver.program, flow, neutralized(sample, driver, place.folder));
  }
  return problems.length === 0 ? { state: 'held' } : { state: 'wrong', problems };
}

function titleIn(record: readonly Exchange[]): string | undefined {
  const asides = record.filter(({ as }) => as === 'aside');
  // It may be a member of a JSON value.
  const said = asides.flatMap(({ answered }) => texts(answered, 'assistant'));
  return said.some((text) => text.includes(TITLE)) ? TITLE : said.at(0);
}

async function keep(folder: string, { files, told }: Sample, { record }: ModelServer): Promise<void> {
  await laidOut(path.join(folder, 'home'), files);
  await writeFile(path.join(folder, 'told.json'), JSON.stringify({ told, record }, null, 1));
}
