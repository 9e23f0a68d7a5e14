import assert from 'node:assert/strict';
import { readTheme, rulesOf } from '../../../src/extension/pages/themeFile.ts';
import { tokenStylesOf } from '../../../src/extension/pages/themeRules.ts';

const files: Record<string, string> = {
  'dark.json': `{
    // Themes have comments, and commas at the end.
    "include": "./base.json",
    "tokenColors": [
      { "scope": "keyword.control", "settings": { "foreground": "#C586C0" } },
      { "scope": ["comment", "string"], "settings": { "fontStyle": "italic" } },
      { "scope": "source.css variable", "settings": { "foreground": "#111111" } },
      { "settings": { "foreground": "#222222" } },
    ],
  }`,
  './base.json': `{ "tokenColors": [
      { "scope": "keyword, storage", "settings": { "foreground": "#569CD6" } },
      { "scope": "keyword.control", "settings": { "foreground": "#000000" } },
      { "scope": "string", "settings": { "foreground": "#CE9178", "fontStyle": "bold" } },
      { "scope": "entity.name", "settings": { "foreground": "red; background: url(x)" } }
  ] }`,
};

const read = (name: string): Promise<{ at: string; text: string }> =>
  Promise.resolve({ at: name, text: files[name] ?? '' });

describe('the colors a theme has for code', () => {
  it('are those of the rule that means it most exactly, in the theme itself before what it includes', async () => {
    const styles = tokenStylesOf(await readTheme('dark.json', read));
    assert.deepEqual(styles['control'], { color: '#C586C0' });
    assert.deepEqual(styles['keyword'], { color: '#569CD6' });
    assert.deepEqual(styles['string'], { color: '#CE9178', isItalic: true });
    assert.deepEqual(styles['comment'], { isItalic: true });
  });

  it('are left out where a rule holds inside something only, means nothing, or is no color', async () => {
    const styles = tokenStylesOf(await readTheme('dark.json', read));
    assert.equal(styles['variable'], undefined);
    assert.equal(styles['function'], undefined);
  });

  it('are none where the theme includes itself without end, cannot be read, or is in an older format', async () => {
    files['loop.json'] = '{ "include": "loop.json", "tokenColors": "theme.tmTheme" }';
    assert.deepEqual(tokenStylesOf(await readTheme('loop.json', read)), {});
    assert.deepEqual(await readTheme('nowhere.json', read), []);
  });

  it('take what the user set over the theme', async () => {
    const own = rulesOf([{ scope: 'comment', settings: { foreground: '#123456', fontStyle: '' } }]);
    const styles = tokenStylesOf([...(await readTheme('dark.json', read)), ...own]);
    assert.deepEqual(styles['comment'], { color: '#123456' });
    assert.deepEqual(rulesOf({ not: 'rules' }), []);
  });
});
