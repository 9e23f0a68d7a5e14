import assert from 'node:assert/strict';
import { answer, conversation } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const harmful: Record<string, string> = {
  'a script': '<script>window.broken = 1</script>',
  'a script inside a paragraph': 'a <script>window.broken = 1</script> b',
  'an image with a handler': '<img src=x onerror="window.broken = 1">',
  'an SVG with a handler': '<svg onload="window.broken = 1"><script>window.broken = 1</script></svg>',
  'an SVG as an image': '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)',
  'a frame': '<iframe srcdoc="<script>parent.broken = 1</script>"></iframe>',
  'a style': '<style>main { display: none }</style><p style="position:fixed;inset:0">x</p>',
  'a form': '<form action="https://example.com"><button>Send</button><input name="q"></form>',
  'an image from elsewhere':
    '![tracker](https://example.com/x.png) <img src="https://example.com/y.png" alt="y">',
  'a link to a script': '[x](javascript:window.broken=1) <a href="javascript:window.broken=1">y</a>',
  'a link to a script in disguise':
    '[x](&#106;ava&Tab;script:window.broken=1) <a href="java\nscript:alert(1)">y</a>',
  'a link to a command': '[x](command:workbench.action.quit) <a href="command:workbench.action.quit">y</a>',
  'a link to VS Code': '[x](vscode://file/etc/passwd)',
  'a link to data': '[x](data:text/html,<script>window.broken=1</script>)',
  'a menu of ours': '<b data-vscode-context=\'{"webviewSection":"message"}\' data-href="command:x">x</b>',
  'our own classes': '<b class="message user" id="root" tabindex="1" role="alert" aria-label="x">x</b>',
  'markup that is cleaned into something else':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.broken=1&gt;">',
  'a template': '<template><img src=x onerror="window.broken=1"></template>',
  'an object':
    '<object data="https://example.com"></object><embed src="https://example.com"><base href="https://example.com">',
};

describe('an answer made to do harm', () => {
  const use = useChat({ ownProcess: true });

  for (const [what, text] of Object.entries(harmful)) {
    it(`is inert with ${what}`, async () => {
      const chat = use();
      const requests: string[] = [];
      chat.page.on('request', (request) => requests.push(request.url()));
      await chat.show(conversation([answer('a', `${text}\n\nafter`)]));
      const shown = chat.messages.last().locator('.markdown');
      await shown.getByText('after').waitFor();
      const forbidden = [
        'script, iframe, style, svg, math, form, object, embed, base, template, textarea, select, button',
        'input, img:not([src^="data:image/png"])',
        '[style], [href], [class]:not(.block), [id], [onerror], [onload], [data-vscode-context], [aria-label]',
        '[tabindex]:not([data-href]), [data-href]:not([data-href^="http"])',
      ].join(', ');
      assert.equal(await shown.locator(forbidden).count(), 0, await shown.innerHTML());
      assert.equal(await chat.page.evaluate('window.broken'), undefined);
      for (const link of await shown.locator('a').all()) await link.click();
      assert.deepEqual(
        (await chat.sent()).filter(({ type }) => type !== 'ready' && type !== 'openLink'),
        [],
      );
      assert.deepEqual(
        requests.filter((url) => !url.includes('/codicon.ttf')),
        [],
      );
      assert.equal(await chat.input.isVisible(), true);
      // Styles and bases are met by the policy before they are taken out; that is all the policy ever has to do.
      const faults = await chat.takeFaults();
      assert.deepEqual(
        faults.filter((fault) => !/^policy: (?:style-src|base-uri)/.test(fault)),
        [],
      );
    });
  }

  it('has its links opened by the host alone, by click and by Enter', async () => {
    const chat = use();
    const href = 'https://example.com/a?b=c#d';
    await chat.show(conversation([answer('a', `[the bank](${href} "Your bank")`)]));
    const link = chat.page.getByRole('link', { name: 'the bank' });
    assert.match((await link.getAttribute('title')) ?? '', /Your bank\nhttps:\/\/example\.com/);
    await link.click();
    await link.press('Enter');
    assert.deepEqual((await chat.sent()).slice(1), [
      { type: 'openLink', href },
      { type: 'openLink', href },
    ]);
    assert.match(chat.page.url(), /^http:\/\/127/);
  });

  it('may bring a picture along', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', `![a dot](${image})`)]));
    await chat.page.getByRole('img', { name: 'a dot' }).waitFor();
  });
});
