import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import type { BranchData } from '../../../src/engine/graph.ts';
import { BRANCH_COLORS } from '../../../src/protocol/pageFacts.ts';
import { colorAt, readLineage } from '../../../src/extension/chat/pathForks.ts';
import { colorsOf } from '../../../src/webview/graph/graphModel.ts';
import { layOut } from '../../../src/webview/graph/layout.ts';
import { building, perform, stepsOf } from '../../fixtures/randomChat.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const STYLES = path.join('src', 'webview');

async function styles(): Promise<string> {
  const files = (await readdir(STYLES, { recursive: true })).filter((file) => file.endsWith('.css'));
  return (await Promise.all(files.map((file) => readFile(path.join(STYLES, file), 'utf8')))).join('\n');
}

describe('the colors of branches', () => {
  it('are the same in the chat and in the graph, whatever was done (fuzz)', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(building, 30), async (steps) => {
        const store = memoryStore();
        try {
          await store.upsertChat({ id: 'chat', userId: 'ann' });
          for (const step of steps) await perform(store, step).catch(() => undefined);
          const nodes = await store.getSkeleton('chat');
          const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
          const branches = await store.listBranches('chat', { includeArchived: true });
          const layout = layOut(nodes.map(({ parentId }) => indexOf.get(parentId ?? '') ?? -1));
          const colors = colorsOf(
            layout,
            branches.map(({ headMessageId }) => indexOf.get(headMessageId ?? '') ?? -1),
          );
          const byName = new Map(branches.map((each) => [each.name, each]));
          const pathOf = async (head: string | null) => (head === null ? [] : store.getPath('chat', head));
          // A branch may be made from one that does not lead to its first message: that has no line to follow.
          const isOnParent = async ({ forkMessageId, parentBranch }: BranchData): Promise<boolean> => {
            const parent = byName.get(parentBranch ?? '');
            if (!parent || forkMessageId === null) return true;
            const isOn = (await pathOf(parent.headMessageId)).some(({ id }) => id === forkMessageId);
            return isOn && isOnParent(parent);
          };
          for (const branch of branches) {
            if (branch.headMessageId === null || !(await isOnParent(branch))) continue;
            const stretches = await readLineage(store, branch, branches);
            for (const { id, depth } of await store.getPath('chat', branch.headMessageId)) {
              assert.equal(colorAt(stretches, depth), colors[indexOf.get(id) ?? -1], `${branch.name}: ${id}`);
            }
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: fuzzRuns(40) },
    );
  });

  it('stand once in the style sheets, and none is one that themes have for errors', async () => {
    const css = await styles();
    const colors = [...css.matchAll(/\.line-(\d) \{\s*--branch: ([^;]*);/g)];
    assert.deepEqual(
      colors.map(([, number]) => Number(number)),
      Array.from({ length: BRANCH_COLORS }, (_, index) => index),
    );
    assert.equal(new Set(colors.map(([, , value]) => value)).size, BRANCH_COLORS);
    for (const [, , value = ''] of colors) assert.doesNotMatch(value, /red|error|deleted|invalid|magenta/i);
  });
});
