import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import chinese from '../../l10n/bundle.l10n.zh-cn.json';
import english from '../../l10n/bundle.l10n.json';
import manifestInChinese from '../../package.nls.zh-cn.json';
import manifestInEnglish from '../../package.nls.json';
import { answer, lastQuestion, refuse, useTools, type Script } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { englishOf, shownTexts } from './support/shownTexts.ts';
import { useChat } from './support/useChat.ts';

const isEnglish = englishOf({ ...english, ...manifestInEnglish }, { ...chinese, ...manifestInChinese });
const code = '```ts\nexport const one = 1;\n```';

const script: Script = (request) => {
  if (lastQuestion(request) === '没有密钥') return refuse(401);
  return lastQuestion(request) === '记下来' && request.body.messages.at(-1)?.role !== 'tool'
    ? useTools(['write_note', { name: '心情', text: '好' }])
    : answer(`好的。\n\n${code}`);
};

describe('the workbench in Chinese', () => {
  const use = useChat(script, { language: 'zh-cn', viewport: { width: 1400, height: 1000 } });

  /** Nothing that is ours may be English. What VS Code says itself is, where no language pack is there. */
  const hasNoEnglish = async (...places: readonly Locator[]): Promise<void> => {
    for (const place of places) {
      const texts = await shownTexts(place);
      assert.ok(
        texts.some((text) => /\p{Script=Han}/u.test(text)),
        `Chinese is to be seen, not ${texts.join(' | ')}`,
      );
      assert.deepEqual(texts.filter(isEnglish), []);
    }
  };
  /** Our pages say everything themselves: there, only names may be in Latin letters, and what quotes the conversation. */
  const pageHasNoEnglish = async (page: Locator): Promise<void> => {
    await hasNoEnglish(page);
    const names = /main[\w-]*|test-model|Offshoot|Ctrl|Enter|write_note|Markdown|\bts\b/gu;
    const texts = await shownTexts(page);
    assert.deepEqual(
      texts.filter((text) => /[a-z]{2}/iu.test(text.replaceAll(names, '')) && !/\p{Script=Han}/u.test(text)),
      [],
    );
  };
  const chatPage = () => use().chat.frame.locator('body');
  const sidebar = () => use().workbench.page.locator('.part.sidebar');

  it('says nothing of ours in English', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    await step('from the first moment', async () => {
      await workbench.setSidebarWidth(300);
      await chat.frame.getByText('可以分支的对话').waitFor();
      await sidebar().getByText('提过问题之后，聊天及其分支和检查点会显示在这里。').waitFor();
      await pageHasNoEnglish(chatPage());
      await hasNoEnglish(sidebar());
    });

    await step('in the palette, the tree, the Context view and the pages of a chat', async () => {
      await workbench.runCommand('offshoot.openSampleChat');
      await chat.message('我想做一个小小的习惯记录工具').waitFor();
      await chat.onBranch('main');
      await chat.send('记下来');
      await chat.frame.getByText('好的。').waitFor();
      await until(
        async () => (await chat.frame.locator('.status.streaming').count()) === 0,
        'the answer to end',
      );
      await workbench.tree.setHeight(260);
      await workbench.contextView.open();
      await workbench.contextView.setHeight(200);
      await workbench.tree.marks('main');
      await pageHasNoEnglish(chatPage());
      await hasNoEnglish(sidebar(), workbench.page.locator('.part.statusbar'));
    });

    await step('in the menu of a message, and where what it did is undone', async () => {
      await workbench.contextMenu.pickOn(chat.messages.nth(1), '回退到此处');
      await chat.onBranch('main-v5');
      await hasNoEnglish(sidebar());
      await workbench.runCommand('offshoot.undo');
      await chat.onBranch('main');
    });

    await step('where something failed, also when it failed below what speaks to people', async () => {
      await chat.send('没有密钥');
      const failed = chat.frame.locator('.status-text');
      await failed.filter({ hasText: '模型服务器需要密钥，或拒绝了所给的密钥。' }).waitFor();
      await pageHasNoEnglish(chatPage());
      await workbench.runCommand('offshoot.createCheckpoint');
      await workbench.quickInput.type(' ');
      await workbench.quickInput.accept();
      await until(
        async () => (await workbench.quickInput.message()).includes('此检查点名称不可用：内容为空。'),
        'what is wrong with the name',
      );
      await workbench.quickInput.dismiss();
    });

    await step('in lists and in the graph', async () => {
      await workbench.runCommand('offshoot.showTimeline');
      await workbench.quickInput.shown('时间线');
      await workbench.quickInput.row('已撤消：回退').waitFor();
      await hasNoEnglish(
        workbench.quickInput.widget.locator('.quick-input-header, .monaco-list-row:visible'),
      );
      await workbench.quickInput.dismiss();
      await workbench.runCommand('offshoot.showGraph');
      await workbench.panel.locator('.graph-row').first().hover();
      await workbench.panel.locator('.graph-preview').waitFor();
      await pageHasNoEnglish(workbench.panel.locator('body'));
    });
  });
});
