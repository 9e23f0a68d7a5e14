import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, toolResultsOf, useTools, type Script } from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { useChat } from './support/useChat.ts';

/** Changes a file in each folder, and names one as people do. */
const work: Script = (request) => {
  if (lastQuestion(request) !== 'change') return answer('It is in `src/greet.ts`, see `app/notes.md`.');
  if (toolResultsOf(request).length > 0) return answer('Done: change');
  const edit = (file: string): [string, unknown] => [
    'edit_file',
    { path: file, oldText: 'export', newText: '/* new */ export' },
  ];
  return useTools(
    ['list_files', {}],
    edit('app/src/greet.ts'),
    edit('app (client)/src/greet.ts'),
    edit('app (server)/src/greet.ts'),
    ['run_command', { command: 'pwd', folder: 'app' }],
    ['run_command', { command: 'pwd', folder: 'app (server)' }],
  );
};

describe('two open folders of one name', () => {
  const use = useChat(work, {
    folders: ['client/app', 'server/app'],
    settings: { 'offshoot.tools.edits': 'reviewAfterwards', 'offshoot.commands.allow': ['pwd'] },
  });
  const greeting = (place: string): Promise<string> =>
    readFile(path.join(use().workbench.folder, '..', '..', place, 'app', 'src', 'greet.ts'), 'utf8');

  it('are told apart where files are listed, edited, reviewed, and commands run', async function () {
    this.timeout(90_000);
    const { chat, server } = use();
    await chat.send('change');
    await chat.message('Done: change').waitFor({ timeout: 40_000 });
    const last = server.requests.at(-1) ?? assert.fail('nothing was asked');
    const results = toolResultsOf(last).map(({ result }) => result);
    assert.deepEqual(results.slice(0, 5), [
      'app (client)/\napp (server)/',
      '“app/src/greet.ts” can mean each of these: app (client)/src/greet.ts, app (server)/src/greet.ts. Name one of them.',
      'Changed app (client)/src/greet.ts.',
      'Changed app (server)/src/greet.ts.',
      '“app” can mean each of these: app (client), app (server). Name one of them.',
    ]);
    assert.match(results[5] ?? '', /\/server\/app/);
    for (const place of ['client', 'server']) assert.match(await greeting(place), /\/\* new \*\/ export/);
    const bar = chat.frame.getByRole('region', { name: 'Edits to review' });
    await chat.openPanel('review');
    await bar.getByRole('button', { name: 'Undo app (server)/src/greet.ts', exact: true }).click();
    await soon.equal(async () => (await greeting('server')).includes('new'), false);
    assert.match(await greeting('client'), /new/);
  });

  it('are asked about where an answer names a file that both have', async () => {
    const { chat, workbench } = use();
    await chat.startNew();
    await chat.ask('where?');
    for (const [name, file] of [
      ['src/greet.ts', 'src/greet.ts'],
      ['app/notes.md', 'notes.md'],
    ] as const) {
      await chat.frame.locator('.file-link', { hasText: name }).first().click();
      await workbench.quickInput.choose(`app (server)/${file}`);
      const tab = workbench.page.locator('.tabs-container .tab.active');
      await tab.filter({ hasText: path.basename(file) }).waitFor();
    }
  });
});
