import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SessionBranch, SessionPicture } from '../../src/importExport/exports/sessionExport.ts';
import { sessionExports } from '../../src/importExport/exports/sessionExports.ts';
import { exportedBranch } from '../fixtures/exportedBranch.ts';
import { pictureOf as pictureIn } from './protocols/wire.ts';
import { Place } from './confined.ts';
import type { Driver } from './driver.ts';
import { ModelServer } from './modelServer.ts';
import { heronPng } from './picture.ts';
import type { Picture, Said } from './said.ts';

const QUESTION = 'And where does it nest?';

/**
 * Writes a branch as a session of the program, has the program continue it, and holds what the model is sent against the
 * branch.
 * @returns what is wrong, in words; undefined where nothing is written for the program
 */
export async function heldWhenResumed(driver: Driver, installed: string): Promise<string[] | undefined> {
  const format = sessionExports.find(({ program }) => program === driver.program);
  if (!format || !driver.resumes) return undefined;
  await using server = new ModelServer((request) => driver.ofProgram?.(request) ?? { text: 'In the reeds.' });
  await server.listen();
  await using place = await Place.make(driver, installed, server);
  const branch = exportedBranch(heronPng().toString('base64'), place.project);
  const { fileName, folders = [], bytes, commands } = await format.write(branch);
  const folder = format.home ? path.join(place.home, driver.keeps[0] ?? '', ...folders) : place.home;
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, fileName);
  await writeFile(file, bytes);
  try {
    for (const command of commands(file)) await driver.resumes(place, command, QUESTION);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error), ...server.refused];
  }
  const asked = server.record.find(({ said }) =>
    said.some((each) => each.kind === 'text' && each.who === 'user' && each.text.includes(QUESTION)),
  );
  return asked
    ? missing(branch, asked.said.flatMap(apart))
    : ['the model was never asked', ...server.refused];
}

/** Not every protocol has pictures in results: there a program sends them after it. */
function apart(said: Said): Said[] {
  if (said.kind !== 'result') return [said];
  const { pictures } = said;
  return [
    { ...said, pictures: [] },
    ...pictures.map((picture): Said => ({ kind: 'picture', who: 'user', picture })),
  ];
}

/** What of a branch is not in a request, in its order; what a program says around it doesn't count. */
function missing(branch: SessionBranch, said: readonly Said[]): string[] {
  const expected = [...saidIn(branch).flatMap(apart), { kind: 'text', who: 'user', text: QUESTION } as const];
  const problems: string[] = [];
  let from = 0;
  for (const each of expected) {
    const at = said.findIndex((other, index) => index >= from && isSaid(each, other));
    if (at < 0) problems.push(`not sent, or not in its place: ${JSON.stringify(each)}`);
    else from = at + 1;
  }
  const texts = expected.flatMap((each) => (each.kind === 'text' ? [each.text] : []));
  const twice = texts.filter(
    (text) => said.filter((each) => each.kind === 'text' && each.text.includes(text)).length > 1,
  );
  return [...problems, ...twice.map((text) => `sent twice: ${text}`)];
}

function saidIn({ turns }: SessionBranch): Said[] {
  return turns.flatMap((turn): Said[] => {
    const { role: who, text } = turn;
    const spoken: Said[] = text === '' ? [] : [{ kind: 'text', who, text }];
    if (turn.role === 'user') {
      return [
        ...spoken,
        ...turn.pictures.map((each): Said => ({ kind: 'picture', who, picture: pictureOf(each) })),
      ];
    }
    return [
      ...spoken,
      ...turn.calls.map(({ id, name, input }): Said => ({ kind: 'call', id, name, input })),
      ...turn.calls.map(({ id, result, isError, pictures }): Said => ({
        ...{ kind: 'result', id, text: result, isError, pictures: pictures.map(pictureOf) },
      })),
    ];
  });
}

function pictureOf({ mediaType, base64 }: SessionPicture): Picture {
  return pictureIn(mediaType, base64);
}

/** Ids of calls are the program's affair, and so is what it puts around a text. */
function isSaid(expected: Said, said: Said): boolean {
  switch (expected.kind) {
    case 'text':
      return said.kind === 'text' && said.who === expected.who && said.text.includes(expected.text);
    case 'picture':
      return said.kind === 'picture' && isDeepStrictEqual(said.picture, expected.picture);
    case 'call':
      return (
        said.kind === 'call' && said.name === expected.name && isDeepStrictEqual(said.input, expected.input)
      );
    case 'result':
      return (
        said.kind === 'result' &&
        said.text.includes(expected.text) &&
        (said.isError ?? expected.isError) === expected.isError &&
        isDeepStrictEqual(said.pictures, expected.pictures)
      );
    case 'reasoning':
      return false;
  }
}
