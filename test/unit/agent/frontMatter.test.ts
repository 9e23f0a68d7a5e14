import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_FRONT_MATTER, readFrontMatter } from '../../../src/agent/prompts/frontMatter.ts';
import { fillBody, givenInputs, inputsOf, linksOf } from '../../../src/agent/prompts/promptBody.ts';
import { readPromptFile } from '../../../src/agent/prompts/promptFile.ts';
import { instructionsReader } from '../../../src/agent/instructions/readApplyTo.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const matter = (yaml: string, body = 'body'): string => `---\n${yaml}\n---\n${body}`;

describe('front matter', () => {
  it('is what stands between two lines of dashes at the very beginning', () => {
    const read = readFrontMatter(
      '---\r\ndescription: A: "b" # no\r\ntools: [x, "y"]\r\n---\r\nbody\n---\nmore',
    );
    assert.match(read.problem ?? '', /./, 'a colon in a plain value is no YAML');
    const good = readFrontMatter(
      '\uFEFF---\r\ndescription: it\'s #1\r\ntools: [x, "y"]\r\n---\r\nbody\n---\nmore',
    );
    assert.equal(good.problem, undefined);
    assert.deepEqual(
      [...good.fields],
      [
        ['description', "it's"],
        ['tools', ['x', 'y']],
      ],
    );
    assert.equal(good.body, 'body\n---\nmore');
    for (const none of ['', 'text', ' ---\na: b\n---\n', 'text\n---\na: b\n---\n']) {
      assert.deepEqual(readFrontMatter(none), { fields: new Map(), problem: undefined, body: none });
    }
  });

  it('makes texts of everything: no dates, no numbers, no bytes, no merged keys', () => {
    const { fields } = readFrontMatter(matter('a: 2026-01-01\nb: 0x10\nc: yes\nd: null\n<<: {e: f}'));
    assert.deepEqual(Object.fromEntries(fields), {
      a: '2026-01-01',
      b: '0x10',
      c: 'yes',
      d: 'null',
      '<<': { e: 'f' },
    });
    assert.match(readFrontMatter(matter('a: !!binary aGk=')).problem ?? '', /tag/);
  });

  it('is refused where it would grow, nest without end, or never end', () => {
    const laughs = ['a: &a [x, x]', 'b: &b [*a, *a]', 'c: [*b, *b]'].join('\n');
    assert.match(readFrontMatter(matter(laughs)).problem ?? '', /alias/);
    assert.match(readFrontMatter(matter('a: &a [*a]')).problem ?? '', /alias/);
    assert.match(readFrontMatter(matter(`a: ${'['.repeat(5_000)}`)).problem ?? '', /nesting/);
    assert.match(readFrontMatter(matter('a: b\na: c')).problem ?? '', /duplicated/);
    assert.match(readFrontMatter('---\na: b').problem ?? '', /closing/);
    const long = `---\n${'# x\n'.repeat(3_000_000)}`;
    assert.match(readFrontMatter(long).problem ?? '', new RegExp(String(MAX_FRONT_MATTER)));
  });

  it('changes no prototype', () => {
    const { fields } = readFrontMatter(
      matter('__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}'),
    );
    assert.deepEqual([...fields.keys()], ['__proto__', 'constructor']);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    const read = readPromptFile(matter('__proto__: {tools: [x]}\ntoString: x'));
    assert.ok(read.ok);
    assert.deepEqual([read.prompt.tools, read.prompt.unknown], [undefined, ['__proto__', 'toString']]);
  });

  it('takes a glob without quotes, which YAML would take for an alias', () => {
    assert.deepEqual(
      readFrontMatter(matter('applyTo: **/*.ts,**/*.tsx')).fields.get('applyTo'),
      '**/*.ts,**/*.tsx',
    );
    assert.deepEqual(readFrontMatter(matter('applyTo: **')).fields.get('applyTo'), '**');
  });

  it('fuzz: never breaks anything, whatever stands there', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        ...[
          '---\n',
          'applyTo: ',
          'tools: [',
          ']',
          '{',
          '}',
          '&a ',
          '*a',
          '!!x ',
          '|\n  ',
          '>-\n',
          '"',
          "'",
          '\n',
        ],
        ...[
          '${input:',
          '${file}',
          '}',
          '](',
          ')',
          '```\n',
          '#file:',
          '../',
          '\uD800',
          '\0',
          '**',
          ',',
          ': ',
          '- ',
        ],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, begins) => {
        const source = `${begins ? '---\n' : ''}${pieces.join('')}`;
        const { body, fields } = readFrontMatter(source);
        assert.ok(source.endsWith(body) && fields instanceof Map);
        readPromptFile(source);
        instructionsReader.read(source);
        const inputs = inputsOf(source);
        fillBody(source, givenInputs(inputs, source), new Map([['file', source]]));
        for (const link of linksOf(source)) assert.notEqual(link, '');
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});

describe('a prompt file', () => {
  it('says how it is run, as VS Code has it, and as it had it', () => {
    const read = readPromptFile(
      matter(
        [
          'name: review',
          'description: Reviews it',
          'argument-hint: what',
          'mode: agent',
          'model: [GPT-5 (copilot), x]',
          'tools: a, b',
          'color: red',
        ].join('\n'),
        '\n# Do it\n',
      ),
    );
    assert.ok(read.ok);
    assert.deepEqual(read.prompt, {
      name: 'review',
      description: 'Reviews it',
      argumentHint: 'what',
      mode: 'agent',
      models: ['GPT-5 (copilot)', 'x'],
      tools: ['a', 'b'],
      unknown: ['color'],
      body: '# Do it',
    });
    const both = readPromptFile(matter('agent: ask\nmode: agent'));
    assert.ok(both.ok && both.prompt.mode === 'ask', 'the newer word counts');
    const bare = readPromptFile('Only text');
    assert.ok(bare.ok && bare.prompt.mode === undefined && bare.prompt.tools === undefined);
    const tools = readPromptFile(matter('tools: [x]'));
    assert.ok(tools.ok && tools.prompt.mode === 'agent', 'who names tools wants them used');
  });

  it('is not run where what it allows cannot be read', () => {
    for (const [yaml, problem] of [
      ['tools: {a: b}', /“tools”/],
      ['tools: [[a]]', /“tools”/],
      ['mode: [ask]\nmodel: {}', /“mode”, “model”/],
      ['tools: [', /./],
      ['- a', /key: value/],
    ] as const) {
      const read = readPromptFile(matter(yaml));
      assert.ok(!read.ok && problem.test(read.problem), yaml);
    }
  });
});
