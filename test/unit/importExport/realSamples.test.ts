import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flows, type Flow } from '../../realSessions/flows.ts';
import { held } from '../../realSessions/heldSample.ts';
import { matrixOf, reasonsOf, type Cell, type Row } from '../../realSessions/matrix.ts';
import { drivers } from '../../realSessions/programs/all.ts';
import { readSample, SAMPLE_PROJECT, type Sample } from '../../realSessions/sample.ts';
import { figure } from '../../fixtures/figures.ts';

const DOCUMENT = path.join('docs', 'real-sessions.md');

const INTRODUCTION = `# Sessions of real programs

Written by \`UPDATE_TRANSCRIPTS=1 npm test -- unit --grep "real programs"\`.

Each program was driven through conversations with a scripted model server, on Linux, without a network; what it wrote was imported and held against what was said: every turn in its order and on its branch, calls of tools with their results, pictures, times, models, summaries, what was stopped. Imported in the middle of a conversation, continued here and imported again, it was brought up to date, with nothing doubled.

The sessions of the versions below are in \`test/realSessions/samples/\`, and each test run imports them. \`npm run real-sessions\` drives the programs themselves; [the README there](../test/realSessions/README.md) has more. What is imported of each program, and of those that can't be run so, is in [Import and export](features/import-export.md).
`;

describe('sessions of real programs', () => {
  const results: Row[] = [];
  after(() => figure('real sessions', `${matrixOf(results)}\n${reasonsOf(results)}`));

  for (const driver of drivers) {
    const cells: Partial<Record<Flow, Cell>> = {};
    results.push({ name: driver.name, version: driver.packages[0]?.version ?? '', cells });
    for (const flow of flows) {
      const drive = driver.flows[flow];
      if ('cannot' in drive) {
        cells[flow] = { state: 'cannot', reason: drive.cannot };
        continue;
      }
      it(`of ${driver.name} come in as they were: ${flow}`, async () => {
        cells[flow] = { state: 'missing' };
        const sample = await readSample(driver.program, flow);
        assert.ok(sample, 'there is no sample: run npm run real-sessions with --sample');
        const problems = await held(sample, SAMPLE_PROJECT, driver);
        cells[flow] = problems.length === 0 ? { state: 'held' } : { state: 'wrong', problems };
        assert.deepEqual(problems, []);
      });
    }
  }

  it('are held against what was said: what is missing, doubled or changed is noticed', async () => {
    const driver = drivers.find(({ program }) => program === 'pi');
    const sample = driver && (await readSample(driver.program, 'fork'));
    assert.ok(sample);
    const changed = (change: (lines: readonly string[]) => readonly string[]): Sample => ({
      ...sample,
      before: undefined,
      files: new Map(
        [...sample.files].map(([name, content]) => [
          name,
          Buffer.from(change(content.toString().trimEnd().split('\n')).join('\n')),
        ]),
      ),
    });
    const word = (from: string, to: string) => (lines: readonly string[]) =>
      lines.map((line) => line.replaceAll(from, to));
    const noticed: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
      'the last answer of each': (lines) => lines.slice(0, -1),
      'a question': word('What is a parser?', 'What is a lexer?'),
      'who said it': word('"role":"assistant"', '"role":"user"'),
      'a model': word('"model":"scripted"', '"model":"other"'),
      'a time': word('"timestamp":"2026', '"timestamp":"2025'),
      'what the model thought': word('They want a short definition.', ''),
      'a kind of record': word('"type":"message"', '"type":"massage"'),
      'a title': (lines) => [
        ...lines,
        JSON.stringify({ type: 'session_info', id: '99', parentId: '00000008', name: 'Invented' }),
      ],
      'a further branch': (lines) => [
        ...lines,
        (lines.at(-1) ?? '').replace(/"id":"\d+"/u, '"id":"99"').replace('structure', 'structures'),
      ],
    };
    for (const [what, change] of Object.entries(noticed)) {
      assert.notDeepEqual(await held(changed(change), SAMPLE_PROJECT, driver), [], what);
    }
  });

  it('are told in the documents by version and day', async () => {
    const rows: Row[] = [];
    for (const { program, name, packages, flows: drives } of drivers) {
      const cells: Partial<Record<Flow, Cell>> = {};
      const dates: string[] = [];
      const versions = new Set<string>();
      for (const flow of flows) {
        const drive = drives[flow];
        const sample = 'cannot' in drive ? undefined : await readSample(program, flow);
        cells[flow] =
          'cannot' in drive
            ? { state: 'cannot', reason: drive.cannot }
            : { state: sample ? 'held' : 'missing' };
        if (sample) {
          dates.push(sample.told.date);
          versions.add(sample.told.version);
        }
      }
      assert.deepEqual([...versions], [packages[0]?.version], `the samples of ${name} are of other versions`);
      rows.push({ name, version: [...versions].join(', '), date: dates.sort().at(0), cells });
    }
    const text = [INTRODUCTION, matrixOf(rows), `\n${reasonsOf(rows)}\n`].join('\n');
    if (process.env['UPDATE_TRANSCRIPTS'] === '1') await writeFile(DOCUMENT, text);
    assert.equal(await readFile(DOCUMENT, 'utf8'), text);
  });
});
