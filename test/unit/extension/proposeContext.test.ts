import assert from 'node:assert/strict';
import { proposeContext } from '../../../src/extension/context/proposeContext.ts';

const paths = ['src/agent/tools/tool.ts', 'src/agent/start.ts', 'docs/agent.md', 'README.md'];
const names = (query: string, hasFolder = true): string[] =>
  proposeContext(hasFolder, paths, query).map(({ of, name }) => (of === 'folder' ? `${name}/` : of));

describe('what else than files may be meant', () => {
  it('is what begins with the letters, and folders that have them', () => {
    assert.deepEqual(names('prob'), ['problems']);
    assert.deepEqual(names('Chan'), ['changes']);
    assert.deepEqual(names('agent'), ['src/agent/', 'src/agent/tools/']);
    assert.deepEqual(names('agent/'), ['src/agent/', 'src/agent/tools/']);
    assert.deepEqual(names('nothing'), []);
  });

  it('is no folder before a letter was typed, and nothing at all where none is open', () => {
    assert.deepEqual(names(''), ['problems', 'changes']);
    assert.deepEqual(names('', false), []);
  });
});
