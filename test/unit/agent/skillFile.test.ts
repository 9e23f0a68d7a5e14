import assert from 'node:assert/strict';
import { readFrontMatter } from '../../../src/agent/prompts/frontMatter.ts';
import { readSkillFile } from '../../../src/agent/skills/skillFile.ts';

const NAMED = 'name: my-skill\ndescription: Does it.';

const skillOf = (yaml: string, folder = 'my-skill', body = 'Do it.') => {
  const read = readSkillFile(`---\n${yaml}\n---\n${body}`, folder);
  return read.ok ? read.skill : assert.fail(read.problem.kind);
};

/** The fields that do not follow the specification. */
const faultsOf = (yaml: string, folder?: string): string[] => {
  const { invalid, unknown } = skillOf(yaml, folder);
  return [...invalid, ...unknown];
};

const named = (name: string): string => `name: ${name}\ndescription: Does it.`;

/** The rules of the published specification and of its validator. */
const RULES: readonly (readonly [rule: string, yaml: string, folder: string, faults: readonly string[]])[] = [
  ['the two required fields are enough', NAMED, 'my-skill', []],
  [
    'all fields of the specification are known',
    `${NAMED}\nlicense: MIT\ncompatibility: Needs git.\nallowed-tools: Bash(jq:*) Read\nmetadata:\n  author: Me\n  version: "1.0"`,
    'my-skill',
    [],
  ],
  ['no upper case', named('My-Skill'), 'My-Skill', ['name']],
  ['64 characters are allowed', named('a'.repeat(64)), 'a'.repeat(64), []],
  ['65 are too many', named('a'.repeat(65)), 'a'.repeat(65), ['name']],
  ['no hyphen in front', named('-my-skill'), '-my-skill', ['name']],
  ['no hyphen at the end', named('my-skill-'), 'my-skill-', ['name']],
  ['no two hyphens in a row', named('my--skill'), 'my--skill', ['name']],
  ['no underscore', named('my_skill'), 'my_skill', ['name']],
  ['no slash', named('mine/my-skill'), 'my-skill', ['name']],
  ['no colon', named('mine:my-skill'), 'my-skill', ['name']],
  ['the name of the folder', named('other-name'), 'my-skill', ['name']],
  ['letters of other scripts are letters', named('技能'), '技能', []],
  ['also with hyphens', named('мой-навык'), 'мой-навык', []],
  ['in lower case', named('навык'), 'навык', []],
  ['in upper case they are refused alike', named('НАВЫК'), 'НАВЫК', ['name']],
  ['equal in the form NFKC is equal', named('"caf\\u0065\\u0301"'), 'caf\u00e9', []],
  ['digits may come first', named('3d-print'), '3d-print', []],
  ['a name is required', 'description: Does it.', 'my-skill', ['name']],
  ['an empty one is none', named('" "'), 'my-skill', ['name']],
  ['a list is no name', named('[a, b]'), 'my-skill', ['name']],
  ['a number is a text', named('42'), '42', []],
  ['1,024 characters describe it', `name: my-skill\ndescription: ${'ö'.repeat(1_024)}`, 'my-skill', []],
  ['1,025 do not', `name: my-skill\ndescription: ${'x'.repeat(1_025)}`, 'my-skill', ['description']],
  ['500 characters say what it needs', `${NAMED}\ncompatibility: ${'x'.repeat(500)}`, 'my-skill', []],
  ['501 do not', `${NAMED}\ncompatibility: ${'x'.repeat(501)}`, 'my-skill', ['compatibility']],
  ['a list says nothing', `${NAMED}\ncompatibility: [git]`, 'my-skill', ['compatibility']],
  ['other fields are not expected', `${NAMED}\nversion: 1\nauthor: Me`, 'my-skill', ['version', 'author']],
  [
    'those of VS Code are known',
    `${NAMED}\nargument-hint: "[file]"\nuser-invocable: true\ndisable-model-invocation: false\ncontext: fork`,
    'my-skill',
    [],
  ],
  ['a switch is on or off', `${NAMED}\nuser-invocable: maybe`, 'my-skill', ['user-invocable']],
];

describe('the front matter of a skill', () => {
  for (const [rule, yaml, folder, faults] of RULES) {
    it(`follows the specification: ${rule}`, () => {
      assert.deepEqual(faultsOf(yaml, folder), faults);
    });
  }

  it('is used as far as it can be', () => {
    const long = skillOf(`name: my-skill\ndescription: ${'😀'.repeat(1_100)}`);
    assert.deepEqual([Array.from(long.description).length, long.description.isWellFormed()], [1_024, true]);
    assert.equal(skillOf('description: Does it.').name, undefined);
    assert.equal(
      skillOf('name: x\ndescription: >\n  Does it,\n  and that.').description,
      'Does it, and that.',
    );
  });

  it('needs a description: without one nobody would know when to use it', () => {
    for (const none of [
      'no front matter',
      '---\nname: my-skill\n---\nbody',
      '---\nname: my-skill\ndescription:\n---\nbody',
      '---\nname: my-skill\ndescription: "  "\n---\nbody',
      '---\nname: my-skill\ndescription: [a]\n---\nbody',
      '',
    ]) {
      assert.deepEqual(readSkillFile(none, 'my-skill'), { ok: false, problem: { kind: 'no-description' } });
    }
  });

  it('that is not YAML, or never ends, is refused with the reason', () => {
    for (const broken of [
      '---\nname: [\n---\n',
      '---\n- a\n---\n',
      '---\nname: x\ndescription: y',
      '---\nname: !!x y\n---\n',
    ]) {
      const read = readSkillFile(broken, 'my-skill');
      assert.equal(read.ok ? '' : read.problem.kind, 'front-matter', broken);
    }
  });

  it('may have a byte order mark, CRLF, and a colon in a description without quotes', () => {
    const text = `\uFEFF---\r\nname: my-skill\r\ndescription: Use it when: it's asked for\r\n---\r\nFirst\r\nsecond\r\n`;
    const read = readSkillFile(text, 'my-skill');
    assert.ok(read.ok);
    assert.equal(read.skill.description, "Use it when: it's asked for");
    assert.deepEqual(read.skill.invalid, []);
    assert.equal(read.skill.body, 'First\r\nsecond');
  });

  it('keeps quotes and comments of a description as YAML has them', () => {
    const descriptionOf = (yaml: string): unknown =>
      readFrontMatter(`---\n${yaml}\n---\n`).fields.get('description');
    assert.equal(descriptionOf('description: "Use it: now"'), 'Use it: now');
    assert.equal(descriptionOf('description: plain # why: so'), 'plain');
    assert.equal(descriptionOf('description: at http://a.b:80/c'), 'at http://a.b:80/c');
  });

  it('says who may start it', () => {
    const startedBy = (yaml: string): [model: boolean, user: boolean] => {
      const { isForModel, isForUser } = skillOf(`${NAMED}\n${yaml}`);
      return [isForModel, isForUser];
    };
    assert.deepEqual(startedBy('license: MIT'), [true, true]);
    assert.deepEqual(startedBy('disable-model-invocation: true'), [false, true]);
    assert.deepEqual(startedBy('user-invocable: "False"'), [true, false]);
    assert.deepEqual(startedBy('user-invocable: false\ndisable-model-invocation: true'), [false, false]);
  });

  it('changes no prototype', () => {
    const { unknown } = skillOf(`${NAMED}\n__proto__: {polluted: 1}`);
    assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined);
    assert.deepEqual(unknown, ['__proto__']);
  });
});
