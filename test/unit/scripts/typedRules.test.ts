import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parse } from 'jsonc-parser';
import tseslint from 'typescript-eslint';

const prefix = '@typescript-eslint/';

/** Rules of typescript-eslint that oxlint does not have. */
const lacking = ['no-unsafe-class-instance-assignment'];

/** A rule that is in no preset. */
const added = 'switch-exhaustiveness-check';

/** Rules with other options than the presets give them. */
const adapted = ['no-confusing-void-expression', 'restrict-template-expressions', added];

interface RuleWithDocs {
  readonly meta?: { readonly docs?: { readonly requiresTypeChecking?: boolean } };
}

/** The rules of the strictest presets that need types, by their names without a prefix. */
function presetRules(): Map<string, unknown> {
  const { rules = {} } = tseslint.plugin as { rules?: Record<string, RuleWithDocs> };
  const presets = [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked];
  const all = presets.flatMap((preset) => Object.entries(preset.rules ?? {}));
  const named = all
    .filter(([name, entry]) => name.startsWith(prefix) && entry !== 'off')
    .map(([name, entry]) => [name.slice(prefix.length), entry] as const);
  const typed = named.filter(([name]) => rules[name]?.meta?.docs?.requiresTypeChecking);
  return new Map<string, unknown>(typed);
}

/** The rules that oxlint is told to apply. */
async function oxlintRules(): Promise<Map<string, unknown>> {
  const { rules } = parse(await readFile('.oxlintrc.jsonc', 'utf8')) as { rules: Record<string, unknown> };
  return new Map(
    Object.entries(rules).map(([name, entry]) => [name.replace(/^typescript\//, ''), entry] as const),
  );
}

describe('the rules that need types', () => {
  it('are in the configuration of oxlint: all of the presets of typescript-eslint, with their options', async () => {
    const told = await oxlintRules();
    const preset = presetRules();
    assert.ok(preset.size > 50, String(preset.size));
    assert.deepEqual([...told.keys(), ...lacking].sort(), [...preset.keys(), added].sort());
    for (const [name, entry] of told) {
      if (adapted.includes(name)) assert.ok(Array.isArray(entry) && entry[0] === 'error', name);
      else assert.deepEqual(entry, preset.get(name), name);
    }
  });
});
