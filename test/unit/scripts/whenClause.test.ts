import assert from 'node:assert/strict';
import fc from 'fast-check';
import { holds, keysOf, parseWhen, type When } from '../../../scripts/manifest/when-clause.mjs';
import { fuzzRuns } from '../../fuzzRuns.ts';

const key = fc.constantFrom('view', 'viewItem', 'offshoot.hasChats', 'inputFocus');
const value = fc.constantFrom('chat', 'chat pinned', 'offshoot.tree', 'offshoot-summary', '');

/** With the prototype that what is read has, too. */
const plain = { noNullPrototype: true };

const clauses = fc.letrec<{ clause: When }>((tie) => ({
  clause: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }, plain),
    fc.record({ kind: fc.constant('key' as const), key }, plain),
    fc.record({ kind: fc.constant('equals' as const), key, value }, plain),
    fc.record(
      {
        kind: fc.constant('matches' as const),
        key,
        pattern: fc.constantFrom(/^chat/, /pinned$/, /a|b/, /\//),
      },
      plain,
    ),
    fc.record({ kind: fc.constant('not' as const), of: tie('clause') }, plain),
    fc.record(
      {
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('clause'), { minLength: 2, maxLength: 3 }),
      },
      plain,
    ),
  ),
}));

/** As an author writes it who trusts no precedence. */
function written(when: When): string {
  switch (when.kind) {
    case 'constant':
      return String(when.value);
    case 'key':
      return when.key;
    case 'equals':
      return `${when.key} == '${when.value}'`;
    case 'matches':
      return `${when.key} =~ ${String(when.pattern)}`;
    case 'not':
      return `!(${written(when.of)})`;
    case 'and':
      return when.of.map((part) => `(${written(part)})`).join(' && ');
    case 'or':
      return when.of.map((part) => `(${written(part)})`).join(' || ');
  }
}

describe('a when clause', () => {
  it('is read as it was written (fuzz)', () => {
    fc.assert(
      fc.property(clauses.clause, (when) => {
        assert.deepEqual(parseWhen(written(when)), when);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('binds not before and, and and before or', () => {
    const when = parseWhen("!a && b || c != 'x y' && d");
    assert.deepEqual(keysOf(when), ['a', 'b', 'c', 'd']);
    const holdsFor = (values: Record<string, string | boolean>): boolean =>
      holds(when, new Map(Object.entries(values)));
    assert.equal(holdsFor({ b: true, c: 'x y' }), true);
    assert.equal(holdsFor({ a: true, b: true, c: 'x y', d: true }), false);
    assert.equal(holdsFor({ a: true, b: true, c: 'x', d: true }), true);
    assert.equal(holdsFor({ c: 'x' }), false);
  });

  it('takes a value with or without quotes, and the pattern of a row', () => {
    const values = new Map([
      ['view', 'offshoot.tree'],
      ['viewItem', 'artifact many'],
    ]);
    for (const text of [
      'view == offshoot.tree',
      "view == 'offshoot.tree' && viewItem =~ /^artifact( many)?$/",
    ]) {
      assert.equal(holds(parseWhen(text), values), true, text);
    }
    assert.equal(holds(parseWhen('viewItem =~ /^branch/'), values), false);
  });

  it('is refused when it cannot be read', () => {
    for (const text of ['', 'a &&', '(a', 'a b', 'a == ', '== a', 'a @ b', 'a > 1']) {
      assert.throws(() => parseWhen(text), Error, text);
    }
  });
});
