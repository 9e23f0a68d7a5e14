import assert from 'node:assert/strict';
import { textsIn } from '../../../scripts/texts.mjs';

describe('the texts of a source', () => {
  it('are found in the host, in the pages, and below the host', () => {
    const source = `
      vscode.l10n.t('In the host, {0}', name);
      const message = defineMessage('Below it');
      const row = <p title={t('In a page')}>{t('And {0}', count)}</p>;
    `;
    assert.deepEqual(textsIn(source, 'any.tsx'), ['In the host, {0}', 'Below it', 'In a page', 'And {0}']);
  });

  it('are found however they are quoted and laid out', () => {
    const source = `
      t("A user's name");
      t(\`In backticks\`);
      t(
        // why it is called so
        'On a line of its own, with a \\'quote\\', a tab\\t and \\u2026',
      );
    `;
    assert.deepEqual(textsIn(source, 'any.ts'), [
      "A user's name",
      'In backticks',
      "On a line of its own, with a 'quote', a tab\t and …",
    ]);
  });

  it('are not what only looks like one', () => {
    const source = `
      // t('in a comment')
      const inText = "vscode.l10n.t('in a text')";
      at('another function'); list.t('another method'); t(variable); t(\`with \${value}\`);
      const cast = <T>(value: T): T => value;
    `;
    assert.deepEqual(textsIn(source, 'any.ts'), []);
  });
});
