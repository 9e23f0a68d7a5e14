import assert from 'node:assert/strict';
import type { GuardedFiles } from '../../../src/host/guardedFiles.ts';
import type { extensionPlaces as ofExtensions } from '../../../src/extension/context/skillsWork.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

describe('the skills of extensions', () => {
  let extensionPlaces: typeof ofExtensions;
  before(async () => {
    ({ extensionPlaces } = await withVsCodeStub(
      () => import('../../../src/extension/context/skillsWork.ts'),
    ));
  });

  const placesOf = (packageJSON: unknown): (readonly string[])[] => {
    const host = { guardedFiles: () => ({}) as GuardedFiles };
    const extensionUri = { toString: () => 'file:///extensions/lint' };
    const extension = { id: 'a.lint', extensionUri, packageJSON } as unknown as Parameters<
      typeof ofExtensions
    >[1][number];
    return extensionPlaces(host, [extension]).map(({ skills }) => skills);
  };
  const contributing = (...chatSkills: unknown[]) => ({ contributes: { chatSkills } });

  it('are where it says: the file, or its folder', () => {
    assert.deepEqual(
      placesOf(
        contributing({ path: './skills/a/SKILL.md' }, { path: 'skills/b' }, { path: './skills/c d/' }),
      ),
      [
        [
          'file:///extensions/lint/skills/a',
          'file:///extensions/lint/skills/b',
          'file:///extensions/lint/skills/c%20d',
        ],
      ],
    );
  });

  it('are none that lead out of it, that have a condition, that it says wrongly, or that are part of VS Code', () => {
    for (const none of [
      undefined,
      null,
      'text',
      {},
      { contributes: {} },
      { contributes: { chatSkills: 'a' } },
      contributing(),
      contributing({ path: '../a' }, { path: 'skills/../../a/SKILL.md' }, { path: '.' }, { path: '' }),
      contributing({ path: 'a', when: 'isWeb' }),
      contributing(5, { path: 5 }, null),
      { ...contributing({ path: 'a' }), isBuiltin: true },
    ])
      assert.deepEqual(placesOf(none), []);
  });
});
