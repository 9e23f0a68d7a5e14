import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { branchForAgent } from '../../../src/importExport/handoff.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { memoryStore } from '../../fixtures/stores.ts';

describe('a branch for another agent', () => {
  let store: SqlContextStore;
  let engine: ContextEngine;
  beforeEach(() => {
    store = memoryStore();
    engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann', branchNames: 'flat' });
  });
  afterEach(async () => {
    await engine.close();
    await store.close();
  });

  const answer = (...parts: UIMessagePart[]) => assistant({ role: 'assistant', parts });
  const ran = (toolName: string, input: object): UIMessagePart => ({
    type: 'dynamic-tool',
    toolName,
    toolCallId: 'c',
    state: 'output-available',
    input,
    output: 'a secret result',
  });

  it('says what it is about, what was decided, which files were touched, and what was said', async () => {
    await engine.updateChat({ title: 'A *title*' });
    engine.state.set('language', 'TypeScript');
    engine.set(
      user('Add a test\nfor a.ts'),
      answer(
        { type: 'reasoning', text: 'hm, private' },
        { type: 'text', text: 'I read it.' },
        ran('read_file', { path: 'a.ts' }),
      ),
      answer(ran('edit_file', { path: 'b.ts', text: 'x'.repeat(200) })),
      user('And docs?', { id: 'q2' }),
      answer({ type: 'text', text: 'Later.' }),
    );
    await engine.save();
    await engine.checkpoint('Tests done');
    await engine.rewind('q2');
    engine.set(user('on another branch'));
    await engine.save();
    const text = branchForAgent(await store.exportChat('chat'), { branch: 'main' });
    assert.equal(
      text,
      `# A \\*title\\*

This is a conversation that was begun with another agent. Go on from where it ends. What tools returned is left out: read files again before you change them.

## Goal

Add a test
for a.ts

## Decided and found out

- Checkpoint “Tests done”: Later.

## State

- language: TypeScript

## Files touched

- b.ts (changed)
- a.ts

## Conversation

### You

Add a test
for a.ts

### Assistant

I read it.

> Tool: read\\_file (path: a.ts)

### Assistant

> Tool: edit\\_file (path: b.ts, text: 200 characters)

### You

And docs?

### Assistant

Later.

> Checkpoint: Tests done
`,
    );
  });

  it('names the files of patches, however they were given', async () => {
    const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
    const shell = `apply_patch <<'EOF'\n${patch('*** Delete File: src/old one.ts')}\nEOF`;
    engine.set(
      user('Tidy up'),
      answer(
        ran('apply_patch', {
          input: patch('*** Update File: src/a.ts', '*** Move to: src/b.ts', '@@', '-*** Add File: no.ts'),
        }),
        ran('shell', { command: ['bash', '-lc', shell] }),
        ran('apply_patch', { patchText: patch('*** Add File: src/new.ts', '+one') }),
        {
          ...{ type: 'dynamic-tool', toolName: 'apply_patch', toolCallId: 'd', state: 'output-error' },
          input: { input: patch('*** Add File: src/failed.ts') },
          errorText: 'no',
        },
        ran('shell', { command: ['cat', '*** Update File: src/c.ts'] }),
      ),
    );
    await engine.save();
    const text = branchForAgent(await store.exportChat('chat'), { branch: 'main' });
    const files = /## Files touched\n\n(.+?)\n\n/su.exec(text)?.[1]?.split('\n');
    assert.deepEqual(
      files,
      ['src/a.ts', 'src/b.ts', 'src/old one.ts', 'src/new.ts'].map((file) => `- ${file} (changed)`),
    );
  });

  it('of which nothing was said is only its title', async () => {
    await store.createChat({ id: 'empty', userId: 'ann' });
    const text = branchForAgent(await store.exportChat('empty'), { branch: 'main' });
    assert.match(text, /^# Chat\n\nThis is a conversation[^\n]*\n$/u);
  });
});
