import assert from 'node:assert/strict';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

describe('words that are looked for in a chat', () => {
  it('are found behind the beginning of a message as well, and shown with what is around them', async () => {
    const { withFound } = await withVsCodeStub(
      () => import('../../../src/extension/commands/pickMessage.ts'),
    );
    const row = (number: number, text: string) => ({
      messageId: `m${number}`,
      number,
      label: text.slice(0, 20),
      text,
    });
    const rows = [
      row(1, `${'so '.repeat(40)}the Needle in it`),
      row(2, 'a needle at the start'),
      row(3, 'none'),
    ];
    const found = withFound(rows, ' needle ');
    assert.deepEqual(
      found.map(({ alwaysShow, detail }) => [alwaysShow, detail]),
      [
        [true, `…${'so '.repeat(9).slice(1)}the Needle in it`],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    assert.equal(withFound(rows, ''), rows);
    assert.equal(withFound(rows, 'none'), rows);
  });
});
