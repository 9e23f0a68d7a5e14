import assert from 'node:assert/strict';
import type { FileVersion } from '../../../src/engine/effects.ts';
import type { InspectedFile } from '../../../src/files/inspectFiles.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const version: FileVersion = { hash: '0', size: 0 };

async function describedAs(target: FileVersion | null, current: FileVersion | null): Promise<string> {
  const { whatHappens } = await withVsCodeStub(() => import('../../../src/extension/files/restoreTexts.ts'));
  const point = { messageId: null, decision: undefined };
  const stand = { ...point, location: { folder: '', path: '' }, version: null, baseline: null, at: 0 };
  const planned: InspectedFile['planned'] = {
    location: stand.location,
    stand,
    target,
    baseline: null,
    point,
    madeFolders: [],
    isMixed: false,
  };
  return whatHappens({ planned, current });
}

describe('the list of what a rewind restores', () => {
  it('says that a deleted file comes back as another one: whose it was and what it was called is gone', async () => {
    assert.equal(await describedAs(version, null), 'comes back as a new file of yours');
    assert.equal(await describedAs({ ...version, kind: 'link' }, null), 'comes back as a link');
    assert.equal(await describedAs({ ...version, kind: 'folder' }, null), 'comes back as a folder');
    assert.equal(await describedAs(version, version), 'is changed back');
    assert.equal(await describedAs(null, version), 'is removed');
  });
});
