import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { Imports } from '../../../src/conversation/imports.ts';
import { isReasoningPart, isTextPart, readUIMessage } from '../../../src/engine/uiMessage.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { sourceFile } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const NOW = Date.parse('2026-02-01');

/** What is done to a session, each time in one place. */
const kinds = ['drop', 'repeat', 'cut', 'swap', 'member'] as const;

const values: readonly unknown[] = [
  ...[
    null,
    true,
    -1,
    1e300,
    '',
    '\0',
    '\ud800',
    '__proto__',
    'user',
    [],
    {},
    [[]],
    { type: 'text', text: 5 },
  ],
  { $: 'x'.repeat(5_000) },
];

interface Sample {
  readonly name: string;
  readonly text: string;
}

/** The files that programs wrote, and those of the tests, none of which is larger than it has to be. */
async function samplesIn(root: string): Promise<Sample[]> {
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (each) => each.isFile() && /\.jsonl?$/u.test(each.name) && each.name !== 'said.json',
  );
  const samples = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return { name: path.relative('test', file), text: await readFile(file, 'utf8') };
  });
  return (await Promise.all(samples)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The members of a value that are reached by names, however deep. */
function membersIn(value: unknown, found: { holder: Record<string, unknown>; key: string }[] = []) {
  if (typeof value !== 'object' || value === null) return found;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    membersIn(holder[key], found);
  }
  return found;
}

interface Mutation {
  readonly kind: (typeof kinds)[number];
  readonly at: number;
  readonly other: number;
  readonly value: unknown;
}

/** @returns the lines, and the numbers of those that are no JSON now */
function mutated(given: readonly string[], mutations: readonly Mutation[]): string[] {
  const lines = [...given];
  for (const { kind, at, other, value } of mutations) {
    const index = at % lines.length;
    const line = lines[index] ?? '';
    const second = other % lines.length;
    if (kind === 'drop') lines.splice(index, 1);
    else if (kind === 'repeat') lines.splice(second, 0, line);
    else if (kind === 'cut') lines[index] = line.slice(0, other % Math.max(1, line.length));
    else if (kind === 'swap') [lines[index], lines[second]] = [lines[second] ?? '', line];
    else lines[index] = withMember(line, other, value);
    if (lines.length === 0) lines.push('');
  }
  return lines;
}

function withMember(line: string, other: number, value: unknown): string {
  try {
    const record: unknown = JSON.parse(line);
    const members = membersIn(record);
    const member = members[other % Math.max(1, members.length)];
    if (member) member.holder[member.key] = value;
    return JSON.stringify(record);
  } catch {
    return line;
  }
}

/** A summary without our words around it: with nothing to stand for it is said as it is. */
function withoutFrame(text: string): string {
  return /<summary of="[^"]*">\n([^]*)\n<\/summary>/u.exec(text)?.[1] ?? text;
}

describe('sessions of other programs that were spoilt', () => {
  let samples: readonly Sample[];
  let store: SqlContextStore;
  before(async () => {
    const roots = [path.join('test', 'fixtures', 'imports'), path.join('test', 'realSessions', 'samples')];
    samples = (await Promise.all(roots.map(samplesIn))).flat();
    assert.ok(samples.length >= 30);
  });
  beforeEach(() => {
    store = memoryStore(() => NOW);
  });
  afterEach(() => store.close());

  /** What is said in the chats of a file, and where something was left out. */
  const taken = async (name: string, text: string) => {
    const imports = new Imports(store, 'ann');
    const { signal } = new AbortController();
    const list = imports.list(signal);
    await imports.addFile(list, sourceFile(name, text), NOW);
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    const { created, extended, failed, leftOut } = await imports.take(chosen, NOW, signal, () => undefined);
    const said = new Set<string>();
    for (const id of new Set([...created, ...extended.map(({ chatId }) => chatId)])) {
      for (const { data } of (await store.exportChat(id)).messages) {
        const message = readUIMessage(data);
        assert.ok(message && (message.role === 'user' || message.role === 'assistant'));
        for (const part of message.parts)
          if (isTextPart(part) || isReasoningPart(part)) said.add(withoutFrame(part.text));
      }
      await store.deleteChat(id);
    }
    for (const { error } of failed)
      assert.equal((error as { code?: string }).code, 'import-failed', String(error));
    for (const { error } of list.unread)
      assert.equal((error as { code?: string }).code, 'import-failed', String(error));
    return { said, isRead: list.unread.length === 0, places: leftOut.all().flatMap(({ places }) => places) };
  };

  const mutation = fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat(),
    other: fc.nat(),
    value: fc.constantFrom(...values),
  });

  // Five thousand of them: `npm run fuzz -- 50 "were spoilt"`.
  it('are read as far as they read, and what is left out is said (fuzz)', async function () {
    this.timeout(fuzzRuns(60_000, 60_000));
    const outcomes = { read: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        async (which, mutations) => {
          const sample = samples[which % samples.length];
          assert.ok(sample);
          const isLines = sample.name.endsWith('.jsonl');
          const given = isLines ? sample.text.split('\n') : [sample.text];
          // The lines of a file that is one value are its members.
          const lines = mutated(
            given,
            isLines ? mutations : mutations.filter(({ kind }) => kind === 'member' || kind === 'cut'),
          );
          const { isRead } = await taken(path.basename(sample.name), lines.join('\n'));
          outcomes[isRead ? 'read' : 'refused'] += 1;
        },
      ),
      { numRuns: fuzzRuns(100) },
    );
    assert.ok(outcomes.read > 10, JSON.stringify(outcomes));
  });

  it('lose with a cut line what is in it, and nothing else, and the line is said (fuzz)', async function () {
    this.timeout(fuzzRuns(60_000, 60_000));
    // A log of changes is none after a change that is missing, and a list of messages has no lines.
    const sessions = samples.filter(({ name }) => name.endsWith('.jsonl') && !name.includes('vscode'));
    assert.ok(sessions.length >= 10);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(), async (which, at, length) => {
        const sample = sessions[which % sessions.length];
        assert.ok(sample);
        const lines = sample.text.trimEnd().split('\n');
        const name = path.basename(sample.name);
        const index = at % lines.length;
        const line = lines[index] ?? '';
        const whole = await taken(name, sample.text);
        const spoilt = lines.with(index, line.slice(0, length % Math.max(1, line.length)) + '\u0001');
        const { said, isRead, places } = await taken(name, spoilt.join('\n'));
        // Without its first line it may be no session any more.
        if (!isRead || !whole.isRead || index === 0) return;
        compared += 1;
        // Words of ours stand before pictures of tools.
        const lost = [...whole.said].filter((text) => !said.has(text) && !text.startsWith('[Pictures that'));
        // A command has a prompt before it, and half a character becomes another one.
        const inside = (text: string): boolean =>
          text
            .split(/[\n\ufffd]|^\$ /mu)
            .some(
              (part) => part.trim() !== '' && line.includes(JSON.stringify(part.slice(0, 20)).slice(1, -1)),
            );
        assert.deepEqual(
          lost.filter((text) => !inside(text)),
          [],
          `${sample.name}:${index + 1}`,
        );
        assert.ok(
          places.some((place) => place.endsWith(`:${index + 1}`)) || places.length >= 5,
          `${sample.name}:${index + 1} of ${places.join()}`,
        );
      }),
      { numRuns: fuzzRuns(60) },
    );
    assert.ok(compared > 10, `${compared}`);
  });
});
