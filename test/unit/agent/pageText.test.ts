import assert from 'node:assert/strict';
import fc from 'fast-check';
import { htmlText } from '../../../src/agent/tools/web/htmlText.ts';
import { isTextType, pageText } from '../../../src/agent/tools/web/pageText.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const never = new AbortController().signal;
const url = new URL('https://docs.example.com/guide/page');

const markdown = async (html: string): Promise<string> => (await htmlText(html, url, never)).text;

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text, encoding));

const read = (
  body: Uint8Array<ArrayBuffer>,
  contentType?: string,
): Promise<{ title: string; text: string }> => pageText({ body, contentType }, url, never);

describe('what is to be read of a page of HTML', () => {
  it('is Markdown with whole addresses', async () => {
    const text = await markdown(
      '<h1>A <code>b</code></h1><p>x <b>y</b> <a href="../z?q#f">link</a></p><ul><li>1<li>2</ul>' +
        '<pre><code class="language-js">let a &lt; 1;\n  b</code></pre>' +
        '<table><tr><th>A<th>B<tr><td>1<td>2</table><dl><dt>T<dd>D</dl><img src="/p.png" alt="pic">',
    );
    assert.equal(
      text,
      '# A `b`\n\nx **y** [link](https://docs.example.com/z?q#f)\n\n- 1\n- 2\n\n' +
        '```js\nlet a < 1;\n  b\n```\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nT\n\nD\n\n' +
        '![pic](https://docs.example.com/p.png)',
    );
  });

  it('has links by the base of the page, and none to anything but the web', async () => {
    const links = [
      'b',
      'javascript:alert(1)',
      'data:text/html,x',
      '#part',
      'https://other.example/',
      'file:///etc',
      'http://',
    ];
    const html = `<base href="/root/">${links.map((href) => `<p><a href="${href}">x</a></p>`).join('')}<img src="data:image/png;base64,AA" alt="p">`;
    assert.equal(
      await markdown(html),
      ['[x](https://docs.example.com/root/b)', 'x', 'x', 'x', '[x](https://other.example/)', 'x', 'x'].join(
        '\n\n',
      ),
    );
  });

  it('is its main part where it has one, without what frames it', async () => {
    const long = 'word '.repeat(60).trim();
    assert.equal(
      await markdown(`<p>ad</p><nav>menu</nav><main><p>${long}</p></main><footer>foot</footer>`),
      long,
    );
    assert.equal(
      await markdown('<p>all</p><nav>menu</nav><main><p>little</p></main><footer>foot</footer>'),
      'all\n\nlittle',
    );
  });

  for (const [what, html] of Object.entries({
    hidden: '<p hidden>SECRET</p>',
    'hidden in an element around it': '<div hidden><section><p>SECRET</p></section></div>',
    'hidden until it is found': '<p hidden="until-found">SECRET</p>',
    'hidden from those who hear': '<p aria-hidden="TRUE">SECRET</p>',
    'for those who hear alone': '<p class="a sr-only">SECRET</p>',
    'not displayed': '<p style="color: red; DISPLAY : none !important">SECRET</p>',
    invisible: '<p style="visibility:hidden">SECRET</p>',
    'seen through': '<p style="opacity: 0.0">SECRET</p>',
    'of no size': '<p style="font-size:0px">SECRET</p>',
    'too small to see': '<p style="font-size:1px">SECRET</p>',
    'in no room': '<p style="height:0;overflow:hidden">SECRET</p>',
    'out of sight': '<p style="position:absolute; left:-9999px">SECRET</p>',
    indented: '<p style="text-indent:-9999px">SECRET</p>',
    clipped: '<p style="clip: rect(1px, 1px, 1px, 1px)">SECRET</p>',
    transparent: '<p style="color:transparent">SECRET</p>',
    'white on white': '<p style="color:#FFF">SECRET <b>SECRET</b></p>',
    'white on white that is said': '<p style="background: white none; color: rgb(255, 255, 255)">SECRET</p>',
    'black on black around it': '<div style="background:#000"><p style="color:black">SECRET</p></div>',
    'red on red': '<p style="color:red;background-color:red">SECRET</p>',
    'in a comment': '<!-- SECRET --><!--><p>-->',
    'in a script': '<script>SECRET</script><script type="text/plain"><p>SECRET</p></script>',
    'in a style': '<style>SECRET</style>',
    'in a template': '<template><p>SECRET</p></template>',
    'for browsers without scripts': '<noscript>SECRET</noscript>',
    'in a picture': '<svg><title>SECRET</title><text>SECRET</text></svg>',
    'in a form': '<textarea>SECRET</textarea><input value="SECRET"><select><option>SECRET</select>',
    'in a title of a link': '<a href="/x" title="SECRET">x</a>',
    'hidden below a thousand others': `${'<div>'.repeat(1_000)}<p hidden>SECRET</p>`,
    'hidden around a thousand others': `<div hidden>${'<div>'.repeat(1_000)}SECRET`,
  })) {
    it(`is not what is ${what}`, async () => {
      assert.doesNotMatch(await markdown(`<p>seen</p>${html}`), /SECRET/);
      assert.match(await markdown(`<p>seen</p>${html}`), /^seen/);
    });
  }

  it('is what is seen', async () => {
    const seen = [
      '<p style="color:white;background:#123">seen</p>',
      '<div style="background:black"><p style="color:#fff">seen</p></div>',
      '<p style="width:0">seen</p>',
      '<p style="opacity:0.5;font-size:10px;left:-10px;height:100px">seen</p>',
      '<p style=";;:;color;opacity:;font-size:">seen</p>',
      '<p aria-hidden="false" class="hidden md:block">seen</p>',
    ];
    for (const html of seen) assert.equal(await markdown(html), 'seen', html);
  });

  it('comes out of whatever there is, in a time that grows with its length', async function () {
    this.timeout(60_000);
    const deep = 100_000;
    for (const html of [
      `${'<div>'.repeat(deep)}end${'</div>'.repeat(deep)}`,
      `${'<b>'.repeat(deep)}end`,
      `${'<ul><li>'.repeat(deep)}end`,
      `${'<table><tr><td>'.repeat(deep)}end`,
      `${'<main>'.repeat(deep)}end`,
      `${'<'.repeat(500_000)}end`,
      `${'&'.repeat(500_000)}end`,
      `${'](['.repeat(200_000)}end`,
      `${'<a href="'.repeat(50_000)}end">`,
      `<p style="${'a:b;'.repeat(200_000)}">end`,
    ]) {
      const started = performance.now();
      await markdown(html);
      assert.ok(performance.now() - started < 5_000, html.slice(0, 40));
    }
  });

  it('comes out of any tags in any order (fuzz)', async () => {
    const tag = fc.constantFrom(
      ...[
        'p',
        'div',
        'ul',
        'ol',
        'li',
        'b',
        'a',
        'h2',
        'pre',
        'code',
        'blockquote',
        'dl',
        'dt',
        'dd',
        'details',
      ],
      ...[
        'table',
        'thead',
        'tbody',
        'tr',
        'td',
        'th',
        'caption',
        'col',
        'main',
        'script',
        'title',
        'svg',
        'br',
        'img',
      ],
      ...[
        'span hidden',
        'head',
        'body',
        'html',
        'q',
        'sup',
        'del',
        'mark',
        'ruby',
        'rt',
        'template',
        'textarea',
        'hr',
      ],
      ...[
        'td rowspan="9" colspan="9"',
        'li value="-1"',
        'ol start="x"',
        'img src="a" alt="b"',
        'a href="x"',
        'nav',
      ],
    );
    const piece = fc.oneof(
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name.split(' ')[0] ?? ''}>`),
      fc.string(),
      fc.constantFrom('<!--', '-->', '<', '&amp;', '&#0;', '\0', '\n', '<a href="', '">'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        assert.equal(typeof (await markdown(pieces.join(''))), 'string');
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('comes out of tables in cells that no table is around', async () => {
    assert.equal(await markdown('<th><table><th>a'), 'a');
    assert.match(await markdown('<td>a<p><table><tr><td>b</table><p>c'), /^a\s+b\s+c$/u);
    const nested = '<table><tr><th>a<tr><td>b<table><tr><th>c</table></table>';
    assert.match(await markdown(nested), /^\| a \|\n\| --- \|\n\| b/u);
  });

  it('stops in the middle', async () => {
    const stop = new AbortController();
    const reading = htmlText(`<p>${'word '.repeat(400_000)}</p>`, url, stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(reading, /stopped/);
  });
});

describe('the text of a page', () => {
  it('is read by its first bytes, by what the server says, or by what it says itself', async () => {
    const html = (charset: string): string => `<!doctype html><meta charset=${charset}><title>é</title>é`;
    assert.equal((await read(bytes(html('latin1'), 'latin1'), 'text/html')).text, 'é');
    assert.equal((await read(bytes(html('utf-8')), 'text/html')).title, 'é');
    assert.equal((await read(bytes(html('latin1'), 'latin1'), 'text/html; charset="ISO-8859-1"')).text, 'é');
    assert.equal((await read(bytes(html('latin1')), 'text/html; charset=utf-8')).text, 'é');
    assert.equal((await read(bytes(`\ufeff${html('latin1')}`), 'text/html; charset=latin1')).text, 'é');
    assert.equal((await read(bytes('\ufeffé', 'utf16le'), 'text/plain')).text, 'é');
    assert.equal(
      (
        await read(
          bytes('<?xml version="1.0" encoding="windows-1252"?><a>é</a>', 'latin1'),
          'application/xml',
        )
      ).text.slice(-8),
      '<a>é</a>',
    );
    assert.equal((await read(Uint8Array.from([0x82, 0xa0]), 'text/plain; charset=Shift_JIS')).text, 'あ');
  });

  it('is read as nearly all are where its charset is none, or what it says is not so', async () => {
    assert.equal((await read(bytes('é'), 'text/plain; charset=klingon')).text, 'é');
    assert.equal((await read(bytes('é'), 'text/plain; charset=')).text, 'é');
    assert.equal((await read(bytes('a\xffb', 'latin1'), 'text/plain')).text, 'a\ufffdb');
    assert.equal((await read(bytes('<meta charset="x-user-nonsense">é'), 'text/html')).text, 'é');
  });

  it('is as it stands where it is no HTML, and looked at where nothing says what it is', async () => {
    assert.equal((await read(bytes('{"a":\r\n1}'), 'application/json')).text, '{"a":\n1}');
    assert.equal((await read(bytes('# Hi <b>'), 'text/markdown')).text, '# Hi <b>');
    assert.equal((await read(bytes(' <!DOCTYPE html><p>a<p>b'))).text, 'a\n\nb');
    assert.equal((await read(bytes('a < b'))).text, 'a < b');
    assert.equal((await read(bytes(''))).text, '');
    await assert.rejects(read(bytes('\0\x01binary')), /is no text/);
  });

  it('has a title of one line, and not without end', async () => {
    const { title } = await read(
      bytes(`<title>a\n <b>b</b> &amp; \ud800 ${'x'.repeat(1_000)}</title><title>second</title>`),
      'text/html',
    );
    assert.match(title, /^a <b>b<\/b> & \S+ x+$/u);
    assert.equal(title.length, 300);
    assert.ok(title.isWellFormed());
  });

  it('is of a kind that is text', () => {
    for (const type of [
      'text/html',
      'TEXT/Plain; charset=x',
      'application/json',
      'application/ld+json',
      'application/atom+xml',
      'application/xhtml+xml',
      'text/x-rust',
      undefined,
    ]) {
      assert.equal(isTextType(type), true, type);
    }
    for (const type of [
      'application/pdf',
      'image/svg+xml',
      'application/octet-stream',
      'application/zip',
      'video/mp4',
      'multipart/mixed',
      'x',
    ]) {
      assert.equal(isTextType(type), false, type);
    }
  });
});
