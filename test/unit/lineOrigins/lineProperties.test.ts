import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FileVersion } from '../../../src/engine/effects.ts';
import { FileTrack } from '../../../src/lineOrigins/fileTrack.ts';
import { originsIn } from '../../../src/lineOrigins/lineOrigin.ts';
import type { FileMoment } from '../../../src/lineOrigins/recordedFiles.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { expected, Model, op, type ModelLine } from '../../worlds/lineModel.ts';

const location = { folder: 'file:///work', path: 'a.ts' };

const round = fc.record({
  who: fc.constantFrom('step' as const, 'step' as const, 'user' as const, 'restore' as const),
  ops: fc.array(op, { minLength: 1, maxLength: 6 }),
  back: fc.nat(10),
  isUnended: fc.boolean(),
});

describe('lines and who wrote them, for any edits', () => {
  it('are known as by one who watched every word', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 10 }), async (rounds) => {
        const model = new Model();
        model.lines = Array.from({ length: 8 }, () => model.newLine({ change: -1, isStep: false }, 4));
        const texts = new Map<string, string>();
        let isLastUnended = false;
        const textNow = (): string => (isLastUnended ? model.text().slice(0, -1) : model.text());
        const version = (): FileVersion => {
          const text = textNow();
          texts.set(text, text);
          return { hash: text, size: text.length };
        };
        const moments: FileMoment[] = [];
        const known: { readonly version: FileVersion; readonly lines: readonly ModelLine[] }[] = [];
        for (const [change, { who, ops, back, isUnended }] of rounds.entries()) {
          const before = version();
          const to = known[back % Math.max(known.length, 1)];
          if (who === 'restore' && to) {
            model.lines = to.lines;
            isLastUnended = !to.version.hash.endsWith('\n');
            moments.push({ location, at: change, before: undefined, after: to.version, edit: undefined });
          } else if (who === 'step' || rounds[change - 1]?.who === 'step') {
            // What a user does is seen at the next step: two changes are one.
            model.change(ops, { change, isStep: who === 'step' });
            isLastUnended = isUnended;
          }
          if (who !== 'step') continue;
          const after = version();
          const edit = { chatId: 'c', messageId: String(change), location, before, after, at: change };
          moments.push({ ...{ location, at: change, before, after }, edit });
          known.push({ version: after, lines: model.lines });
        }
        const text = textNow();
        const track = await FileTrack.of(moments, { read: ({ hash }) => Promise.resolve(texts.get(hash)) }, [
          text,
        ]);
        const found = model.lines.map(() => '');
        for (const origin of originsIn(track.now(location, text, text), track.writers)) {
          const steps = [origin.edit, ...origin.earlier].map(({ messageId }) => messageId);
          found[origin.line] = `${steps.join(' ')}${origin.isChangedSince ? ' changed' : ''}`;
        }
        assert.deepEqual(found, expected(model));
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
