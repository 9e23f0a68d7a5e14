import assert from 'node:assert/strict';
import { saidSentences, type SaidKind } from '../../../src/agent/ledger/saidSentences.ts';

/** A sentence, and what it is to the ledger; undefined: nothing. */
const table: readonly (readonly [string, SaidKind | undefined])[] = [
  // English
  ['Always use tabs for indentation.', 'rule'],
  ['Never commit to the main branch.', 'rule'],
  ["Please don't touch the files in vendor.", 'rule'],
  ['Do not add new dependencies.', 'rule'],
  ['From now on, answer in one paragraph.', 'rule'],
  ['All public functions must have a doc comment.', 'rule'],
  ['Make sure that the tests pass before you say you are done.', 'rule'],
  ['Prefer composition over inheritance.', 'rule'],
  ['Only change files under src/parser.', 'rule'],
  ['You must not write to the production database.', 'rule'],
  ['Use pnpm.', 'request'],
  ['Please add a login page.', 'request'],
  ['Rename the class to Parser, and run the tests.', 'request'],
  ['Could you fix the flaky test?', 'request'],
  ['I want you to look at the build first.', 'request'],
  ["Let's start with the parser.", 'request'],
  ['Ok, now write a test for that.', 'request'],
  ['We decided to use SQLite because the file has to be portable.', 'decision'],
  ["I'll keep the old API, since two plugins depend on it.", 'decision'],
  ['We go with REST instead of GraphQL, as the clients are simple.', 'decision'],
  ['It never works on Mondays.', undefined],
  ['Why does it always crash?', undefined],
  ['What is a parser?', undefined],
  ['The build failed again.', undefined],
  ['Thanks, that looks great.', undefined],
  ['That must have been the cache.', undefined],
  ['Is there a function that must be called first?', undefined],
  // German
  ['Verwende immer einfache Anführungszeichen.', 'rule'],
  ['Niemals direkt auf main pushen.', 'rule'],
  ['Die Tests müssen vor jedem Commit laufen.', 'rule'],
  ['Ab jetzt bitte auf Deutsch antworten.', 'rule'],
  ['Bitte nicht die Konfiguration ändern.', 'rule'],
  ['Du darfst die Datenbank nicht löschen.', 'rule'],
  ['Bitte füge eine Anmeldeseite hinzu.', 'request'],
  ['Kannst du den Fehler beheben?', 'request'],
  ['Schreibe einen Test für den Parser.', 'request'],
  ['Verwenden Sie die neue Schnittstelle.', 'request'],
  ['Wir haben uns für SQLite entschieden, weil die Datei tragbar sein muss.', 'decision'],
  ['Warum stürzt es immer ab?', undefined],
  ['Der Build ist wieder rot.', undefined],
  // Chinese
  ['所有注释必须用英文。', 'rule'],
  ['不要修改配置文件。', 'rule'],
  ['以后请用中文回答。', 'rule'],
  ['千万别删除数据库', 'rule'],
  ['请添加一个登录页面。', 'request'],
  ['帮我修复这个错误。', 'request'],
  ['你能不能写一个测试？', 'request'],
  ['我们决定使用 SQLite，因为文件需要便携。', 'decision'],
  ['为什么总是崩溃？', undefined],
  ['构建又失败了。', undefined],
  // Others
  ['Utilise toujours des guillemets simples.', 'rule'],
  ['Ajoute un test, s’il te plaît.', 'request'],
  ['Nunca borres la base de datos.', 'rule'],
  ['Añade una prueba, por favor.', 'request'],
  ['必ずテストを実行してください。', 'rule'],
  ['テストを追加してください。', 'request'],
  ['Всегда запускай тесты.', 'rule'],
  ['Добавь, пожалуйста, тест.', 'request'],
];

describe('sentences that a ledger quotes', () => {
  for (const [sentence, kind] of table) {
    it(`${kind ?? 'nothing'}: ${sentence}`, () => {
      assert.deepEqual(saidSentences(sentence), kind === undefined ? [] : [{ kind, text: sentence }]);
    });
  }

  it('are found among others, word for word, without what is quoted or code', () => {
    const text = [
      'Hello! The page looks odd. Please fix the margin. It was fine before.',
      '> Always quote me.',
      '```ts',
      'never.use(this);',
      '```',
      '- Use the theme’s colors (e.g. `--accent`).',
      '1. Never use `!important`; always use tokens.',
    ].join('\n');
    assert.deepEqual(
      saidSentences(text).map(({ text: said }) => said),
      [
        'Please fix the margin.',
        'Use the theme’s colors (e.g. `--accent`).',
        'Never use `!important`; always use tokens.',
      ],
    );
  });

  it('take a reason from the next sentence', () => {
    assert.deepEqual(saidSentences('We chose Rust. The reason is its speed.'), [
      { kind: 'decision', text: 'We chose Rust. The reason is its speed.' },
    ]);
  });

  it('are bounded, however long the text is', () => {
    const said = saidSentences(`Always ${'x'.repeat(2_000)}.\n${'Never do that.\n'.repeat(5_000)}`);
    assert.ok(said.length <= 24);
    assert.ok(said.every(({ text }) => text.length <= 401));
  });
});
