import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { until } from '../../fixtures/until.ts';
import { themeNames, type Chat } from './harness/chat.ts';
import { answer, conversation, question, streaming, toolCall, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the rows of tool calls', () => {
  // A page that is loaded again may draw an opened row after it has looked where the view is.
  const use = useChat({ viewport: { width: 400, height: 500 } });

  const row = (chat: Chat, title: string): Locator =>
    chat.page.locator('.tool > summary', { hasText: title });
  const topOf = async (of: Locator): Promise<number> => {
    const box = await of.boundingBox();
    assert.ok(box);
    return box.y;
  };

  it('say why a call failed while they are closed, in one line', async () => {
    const chat = use();
    const output = `\nThere is no file “none.ts”. ${'Look for it with find_files. '.repeat(20)}\nMore lines.`;
    await chat.show(
      conversation([
        question('q', 'Read it'),
        answer('a', '', {
          parts: [
            toolCall({ title: 'Read none.ts', state: 'failed', output }),
            toolCall({ callId: 'c2', title: 'Read src/greet.ts' }),
          ],
        }),
      ]),
    );
    const reason = row(chat, 'Read none.ts').locator('.tool-reason');
    assert.match(await reason.innerText(), /^There is no file “none\.ts”\. Look for it/);
    assert.ok(!(await reason.innerText()).includes('More lines'));
    const box = await reason.boundingBox();
    assert.ok(box && box.height < 30 && box.width <= 400);
    assert.equal(await row(chat, 'Read src/greet.ts').locator('.tool-reason').count(), 0);
    await row(chat, 'Read none.ts').click();
    await chat.page.locator('.tool-body').waitFor();
    assert.equal(await reason.count(), 0, 'opened, the whole of it stands below');
  });

  it('show what an edit changes by lines, with signs, as plain text, in place of the input', async () => {
    const chat = use();
    const before = 'const a = 1;\n<img src=x onerror=alert(1)>\nconst c\u200b = 3;\n';
    const after = 'const a = 1;\nconst b = 2;\nconst c\u200b = 3;\n';
    const changes = [{ before, after, cut: 7 }];
    const edit = toolCall({ name: 'edit_file', title: 'Edit a.ts', input: '', changes });
    await chat.show(conversation([question('q', 'Edit it'), answer('a', '', { parts: [edit] })]));
    await row(chat, 'Edit a.ts').click();
    const body = chat.page.locator('.tool-body');
    await body.getByText('Changes', { exact: true }).waitFor();
    const lines = async (): Promise<string> =>
      (await body.locator('.changes > *').allInnerTexts()).map((line) => line.trimEnd()).join('\n');
    const expected = [
      ' const a = 1;',
      '−<img src=x onerror=alert(1)>',
      '+const b = 2;',
      ' const c‹U+200B› = 3;',
      '… 7 more characters',
    ].join('\n');
    await until(async () => (await lines()) === expected, 'the lines that changed');
    assert.equal(await body.locator('img').count(), 0);
    assert.equal(await body.getByText('Input of').count(), 0);
    for (const theme of themeNames) {
      await chat.setTheme(theme);
      await chat.screenshot(`tool changes ${theme}`);
    }
  });

  it('tell a call that waits for its turn from one that runs', async () => {
    const chat = use();
    const edit = { name: 'edit_file', icon: 'edit', output: '' } as const;
    const { duration: _none, ...running } = toolCall({ ...edit, state: 'running', title: 'Edit one.ts' });
    await chat.show(
      conversation([question('q', 'Edit both')], {
        running: {
          ...streaming('a'),
          parts: [running, { ...running, callId: 'c2', state: 'queued', title: 'Edit two.ts' }],
        },
      }),
    );
    assert.match(await row(chat, 'Edit one.ts').innerText(), /running/);
    assert.match(await row(chat, 'Edit two.ts').innerText(), /queued/);
    assert.equal(await row(chat, 'Edit two.ts').locator('.codicon-modifier-spin').count(), 0);
  });

  for (const isStreaming of [false, true]) {
    it(`keep their place when they are opened at the end${isStreaming ? ' of an answer on its way' : ''}`, async () => {
      const chat = use();
      const output = 'A line of what came out.\n'.repeat(30);
      const parts = [toolCall({ output }), { type: 'text', text: 'Done.' } as const];
      await chat.show(
        isStreaming
          ? conversation(turns(11), { running: { ...streaming('a'), parts } })
          : conversation([...turns(11), answer('a', '', { parts })]),
      );
      await chat.frame();
      assert.ok((await chat.fromEnd()) < 2);
      const opened = row(chat, 'Read src/greet.ts');
      const before = await topOf(opened);
      await opened.click();
      await chat.page.locator('.tool-body').waitFor();
      await chat.frame();
      assert.ok(Math.abs((await topOf(opened)) - before) <= 1, `${await topOf(opened)}, not ${before}`);
      await chat.button('Jump to latest').waitFor();
      await opened.click();
      await chat.page.locator('.tool-body').waitFor({ state: 'detached' });
      await chat.frame();
      assert.ok((await chat.fromEnd()) < 2);
      if (!isStreaming) return;
      await chat.delta('a', ' And more.\n\n'.repeat(40), 5, 1);
      await chat.page.getByText('And more.').last().waitFor();
      await chat.frame();
      assert.ok((await chat.fromEnd()) < 2, 'closed again, the end is followed again');
    });
  }

  it('keep their place though the page tells only then that it had scrolled to the end', async () => {
    const chat = use();
    const output = 'A line of what came out.\n'.repeat(30);
    await chat.show(conversation([...turns(11), answer('a', '', { parts: [toolCall({ output })] })]));
    await chat.frame();
    const opened = row(chat, 'Read src/greet.ts');
    const before = await topOf(opened);
    await opened.evaluate((element) => {
      element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      element.closest('.scroller')?.dispatchEvent(new Event('scroll'));
    });
    await chat.page.locator('.tool-body').waitFor();
    await chat.frame();
    assert.ok(Math.abs((await topOf(opened)) - before) <= 1, `${await topOf(opened)}, not ${before}`);
  });

  it('show a command, how it ended and what it wrote, and what can be done about it', async () => {
    const chat = use();
    const command = { text: 'npm test -- --grep "x"', id: 'k1', exitCode: 3 };
    const call = toolCall({
      callId: 'c1',
      title: 'Run npm test',
      input: '',
      output: 'one\n\u001b[31mtwo\u001b[0m',
      command,
    });
    await chat.show(conversation([question('q', 'Run it'), answer('a', '', { parts: [call] })]));
    await row(chat, 'Run npm test').getByText('exit code 3').waitFor();
    await row(chat, 'Run npm test').click();
    const body = chat.page.locator('.tool-body');
    await body.waitFor();
    assert.deepEqual(await body.locator('.tool-label').allInnerTexts(), ['Command', 'Output']);
    assert.deepEqual(await body.locator('pre').allInnerTexts(), ['npm test -- --grep "x"', 'one\ntwo']);
    assert.deepEqual(await body.locator('button').allInnerTexts(), ['Show Terminal', 'Open in Editor']);
    await body.getByRole('button', { name: 'Show Terminal' }).click();
    const sent = (await chat.sent()).filter(({ type }) => type === 'actOnCommand');
    assert.deepEqual(sent, [{ type: 'actOnCommand', action: 'showTerminal', callId: 'c1', commandId: 'k1' }]);
  });

  it('say what a command that writes nothing seems to wait for, with what can be done, while they are closed', async () => {
    const chat = use();
    const text = 'Nothing was written for 10 s. It seems to wait for a password.';
    const { duration: _none, ...running } = toolCall({
      title: 'Run git push',
      state: 'running',
      input: '',
      command: { text: 'git push' },
      waiting: { text },
    });
    const { command: _own, ...reading } = running;
    await chat.show(
      conversation([question('q', 'Push it')], {
        running: {
          ...streaming('a'),
          parts: [
            running,
            { ...reading, callId: 'c2', title: 'Read command k1', waiting: { text, commandId: 'k1' } },
          ],
        },
      }),
    );
    const waiting = chat.page.locator('.tool-waiting');
    await waiting.last().waitFor();
    assert.deepEqual(await waiting.locator('span').allInnerTexts(), [text, text]);
    assert.equal(await chat.page.locator('.tool-body').count(), 0);
    await waiting.first().getByRole('button', { name: 'Show Terminal' }).click();
    await waiting.last().getByRole('button', { name: 'Stop Command' }).click();
    const sent = (await chat.sent()).flatMap((message) =>
      message.type === 'actOnCommand' ? [[message.action, message.callId, message.commandId]] : [],
    );
    assert.deepEqual(sent, [
      ['showTerminal', 'c1', undefined],
      ['stop', 'c2', 'k1'],
    ]);
  });

  it('let a command that runs be stopped or left, and keep the end of what it writes in view', async () => {
    const chat = use();
    const running = (lines: number) => {
      const { duration: _none, ...call } = toolCall({
        title: 'Run it',
        state: 'running',
        input: '',
        command: { text: 'x' },
      });
      const output = Array.from({ length: lines }, (_, index) => `line ${index}`).join('\n');
      return conversation([question('q', 'Run it')], {
        running: { ...streaming('a'), parts: [{ ...call, output }] },
      });
    };
    await chat.show(running(3));
    await row(chat, 'Run it').click();
    for (const lines of [40, 80]) {
      await chat.show(running(lines));
      const output = chat.page.locator('.tool-body pre').last();
      await output.getByText(`line ${lines - 1}`).waitFor();
      const left = await output.evaluate((pre) => pre.scrollHeight - pre.scrollTop - pre.clientHeight);
      assert.ok(left < 2, `${left} px are below`);
    }
    const output = chat.page.locator('.tool-body pre').last();
    await output.hover();
    const top = await output.evaluate((pre) => pre.scrollTop);
    await chat.page.mouse.wheel(0, -20);
    await until(async () => (await output.evaluate((pre) => pre.scrollTop)) < top, 'the output to go up');
    const read = await output.evaluate((pre) => pre.scrollTop);
    await chat.show(running(120));
    await output.getByText('line 119').waitFor({ state: 'attached' });
    await chat.frame();
    assert.equal(await output.evaluate((pre) => pre.scrollTop), read, 'what is read was taken away');
    await chat.page.mouse.wheel(0, 10_000);
    await until(
      () => output.evaluate((pre) => pre.scrollHeight - pre.scrollTop - pre.clientHeight < 2),
      'the output to be at its end',
    );
    await chat.show(running(160));
    const left = await output.evaluate((pre) => pre.scrollHeight - pre.scrollTop - pre.clientHeight);
    assert.ok(left < 2, `${left} px are below`);
    await chat.page.getByRole('button', { name: 'Leave Running' }).click();
    await chat.page.getByRole('button', { name: 'Stop Command' }).click();
    const sent = (await chat.sent()).filter(({ type }) => type === 'actOnCommand');
    assert.deepEqual(
      sent.map((each) => 'action' in each && each.action),
      ['leave', 'stop'],
    );
  });
});
