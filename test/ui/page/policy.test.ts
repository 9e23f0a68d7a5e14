import assert from 'node:assert/strict';
import { useChat } from './harness/useChat.ts';

describe('the policy of the page', () => {
  const use = useChat();

  it('lets no base change where addresses lead, and no form go anywhere', async () => {
    const chat = use();
    const before = await chat.page.evaluate<string>('document.baseURI');
    await chat.page.evaluate(`new Promise((resolve) => {
      const base = document.createElement('base');
      base.href = 'https://example.com/';
      document.head.append(base);
      const form = document.createElement('form');
      form.action = 'https://example.com/take';
      document.body.append(form);
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
        if (violatedDirective === 'form-action') resolve();
      });
      form.submit();
    })`);
    assert.equal(await chat.page.evaluate<string>('document.baseURI'), before);
    assert.match(chat.page.url(), /^http:\/\/127/);
    const faults = await chat.takeFaults();
    assert.deepEqual(
      faults.map((fault) => fault.split(' ')[1]),
      ['base-uri', 'form-action'],
    );
  });
});
