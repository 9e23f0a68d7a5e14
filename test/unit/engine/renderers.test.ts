import assert from 'node:assert/strict';
import { parse as parseToml } from 'smol-toml';
import {
  fragment,
  glossary,
  guardrail,
  hint,
  policy,
  role,
  styleGuide,
  workflow,
  type FragmentData,
} from '../../../src/engine/fragments/index.ts';
import {
  MarkdownRenderer,
  TomlRenderer,
  ToonRenderer,
  XmlRenderer,
} from '../../../src/engine/renderers/index.ts';
import { allRenderers } from '../../fixtures/allRenderers.ts';

const renderers = allRenderers();
const lines = (...all: string[]): string => all.join('\n');
const prompt = [hint('Be <brief>'), workflow({ task: 'deploy', steps: ['build', 'test'] })];
const words = glossary({ AOV: 'sum/count', LTV: 'x*y' });

describe('renderers', () => {
  it('write XML', () => {
    assert.equal(
      new XmlRenderer().render(prompt),
      lines(
        '<hint>Be &lt;brief&gt;</hint>',
        '<workflow>',
        '  <task>deploy</task>',
        '  <steps>',
        '    <step>build</step>',
        '    <step>test</step>',
        '  </steps>',
        '</workflow>',
      ),
    );
  });

  it('write a value of several lines on lines of its own in XML', () => {
    assert.equal(new XmlRenderer().render([role('One\nTwo')]), lines('<role>', '  One', '  Two', '</role>'));
  });

  it('write Markdown', () => {
    assert.equal(
      new MarkdownRenderer().render([...prompt, styleGuide({ prefer: 'short' })]),
      lines(
        '## Hint',
        'Be <brief>',
        '',
        '## Workflow',
        '- **task**: deploy',
        '- **steps**:',
        '  - build',
        '  - test',
        '',
        '## Style Guide',
        '- **prefer**: short',
      ),
    );
  });

  it('write TOML', () => {
    assert.equal(
      new TomlRenderer().render(prompt),
      lines('hint = "Be <brief>"', '', '[workflow]', 'task = "deploy"', 'steps = ["build", "test"]'),
    );
  });

  it('write TOON', () => {
    assert.equal(
      new ToonRenderer().render([...prompt, words]),
      lines(
        'hint: Be <brief>',
        'workflow:',
        '  task: deploy',
        '  steps[2]: build,test',
        'glossary[2]{term,expression}:',
        '  AOV,sum/count',
        '  LTV,x*y',
      ),
    );
  });

  it('make an array in TOML of what comes twice, and two elements in XML', () => {
    const twice = [hint('a'), guardrail({ rule: 'r' }), hint('b'), guardrail({ rule: 's' })];
    assert.deepEqual(plain(parseToml(new TomlRenderer().render(twice))), {
      hint: ['a', 'b'],
      guardrail: [{ rule: 'r' }, { rule: 's' }],
    });
    assert.equal(new XmlRenderer().render([hint('a'), hint('b')]), '<hint>a</hint>\n<hint>b</hint>');
  });

  it('put plain values before tables in TOML, so that they stay outside of them', () => {
    const rendered = new TomlRenderer().render([workflow({ task: 't', steps: [] }), hint('after')]);
    assert.deepEqual(plain(parseToml(rendered)), { hint: 'after', workflow: { task: 't', steps: [] } });
  });

  it('call a function again each time', () => {
    let count = 0;
    const counted = fragment('count', () => ++count);
    assert.equal(new XmlRenderer().render([counted]), '<count>1</count>');
    assert.equal(new XmlRenderer().render([counted]), '<count>2</count>');
  });

  it('leave out nulls and what contains itself, and keep the order of the rest', () => {
    const own: Record<string, FragmentData> = { first: 1, nothing: null, none: undefined };
    own['self'] = own;
    own['last'] = 2;
    assert.equal(
      new XmlRenderer().render([fragment('own', own)]),
      lines('<own>', '  <first>1</first>', '  <last>2</last>', '</own>'),
    );
  });

  it('name a fragment among other items once', () => {
    const mixed = fragment('policies', policy({ rule: 'ask' }), 'Be kind.');
    assert.equal(
      new XmlRenderer().render([mixed]),
      lines(
        '<policies>',
        '  <policy>',
        '    <rule>ask</rule>',
        '  </policy>',
        '  <policy>Be kind.</policy>',
        '</policies>',
      ),
    );
    assert.equal(
      new MarkdownRenderer().render([mixed]),
      lines('## Policies', '- **policy**:', '  - **rule**: ask', '- Be kind.'),
    );
  });

  it('make tags of names that XML does not take, and lose none of them', () => {
    const named = ['C++', 'C#', '角色', '1st', 'my thing', 'xml', ''].map((name) => fragment(name, 'x'));
    assert.equal(
      new XmlRenderer().render(named),
      lines(
        '<C__ name="C++">x</C__>',
        '<C_ name="C#">x</C_>',
        '<__ name="角色">x</__>',
        '<_1st>x</_1st>',
        '<my_thing>x</my_thing>',
        '<_xml>x</_xml>',
        '<_>x</_>',
      ),
    );
  });

  it('name the items of a list in XML by the singular of its name, where it has one', () => {
    const singulars = {
      steps: 'step',
      policies: 'policy',
      boxes: 'box',
      classes: 'class',
      databases: 'database',
      caches: 'cache',
      branches: 'branch',
      aliases: 'alias',
      status: 'item',
      analysis: 'item',
      series: 'item',
      glossary: 'item',
    };
    for (const [plural, singular] of Object.entries(singulars)) {
      assert.equal(
        new XmlRenderer().render([fragment(plural, ['x'])]),
        lines(`<${plural}>`, `  <${singular}>x</${singular}>`, `</${plural}>`),
      );
    }
  });

  it('write dates, big numbers, maps and sets as what they say', () => {
    const sample = fragment('told', {
      date: new Date(0),
      big: 2n ** 70n,
      map: new Map([['key', 'value']]),
      set: new Set(['member']),
      none: [NaN, Infinity],
    });
    for (const renderer of renderers) {
      const rendered = renderer.render([sample]);
      for (const text of [
        '1970-01-01',
        '1180591620717411303424',
        'key',
        'value',
        'member',
        'NaN',
        'Infinity',
      ]) {
        assert.ok(rendered.includes(text), `${text} in ${rendered}`);
      }
    }
  });

  it('write nothing of nothing', () => {
    for (const renderer of renderers) {
      assert.equal(renderer.render([]), '');
      assert.equal(renderer.render([fragment('none', null), fragment('no', () => undefined)]), '');
    }
  });

  it('nest fragments in fragments', () => {
    const nested = fragment('database', fragment('table', 'users'), fragment('table', 'orders'));
    assert.equal(
      new XmlRenderer().render([nested]),
      lines('<database>', '  <table>users</table>', '  <table>orders</table>', '</database>'),
    );
    assert.deepEqual(plain(parseToml(new TomlRenderer().render([nested]))), {
      database: { table: ['users', 'orders'] },
    });
  });
});

describe('a literal without a type in another fragment', () => {
  it('is a fragment if it has a name and data, and else data that is shown whole', () => {
    const literals: readonly [FragmentData, string[]][] = [
      [{ name: 'hint', data: 'Be <brief>' }, ['  <hint>Be &lt;brief&gt;</hint>']],
      [
        [{ id: 'h1', name: 'hint', data: 'Be brief' }, hint('Be kind')],
        ['  <hint>Be brief</hint>', '  <hint>Be kind</hint>'],
      ],
      [{ name: 'hint', data: 'x', age: 3 }, ['  <name>hint</name>', '  <data>x</data>', '  <age>3</age>']],
      [{ name: 'Bob' }, ['  <name>Bob</name>']],
      [{ id: 7, name: 'hint', data: 'x' }, ['  <id>7</id>', '  <name>hint</name>', '  <data>x</data>']],
      [{ name: 7, data: 'x' }, ['  <name>7</name>', '  <data>x</data>']],
    ];
    for (const [literal, inner] of literals) {
      assert.equal(
        new XmlRenderer().render([fragment('rules', literal)]),
        lines('<rules>', ...inner, '</rules>'),
      );
    }
    const nested = fragment('rules', { name: 'hint', data: 'Be brief' });
    assert.deepEqual(plain(parseToml(new TomlRenderer().render([nested]))), { rules: { hint: 'Be brief' } });
    assert.equal(new MarkdownRenderer().render([nested]), lines('## Rules', '- **hint**: Be brief'));
  });
});

/** The parser's objects have no prototype; these do. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
