import assert from 'node:assert/strict';
import { FileHistory } from '../../../src/files/fileHistory.ts';
import { countedCalls } from '../../fixtures/countedCalls.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

describe('the file changes of a chat', () => {
  it('are read with one query of each kind, whether there are some or not', async () => {
    await using world = await FilesWorld.make();
    const { counted, calls } = countedCalls(world.store);
    assert.deepEqual((await FileHistory.read(counted, CHAT)).stands, [], 'it is not stored yet');
    await world.answer();
    assert.deepEqual((await FileHistory.read(counted, CHAT)).stands, []);
    await world.turn({ 'a.txt': 'one' });
    assert.equal((await FileHistory.read(counted, CHAT)).stands.length, 1);
    const read = ['listFileChanges', 'listEvents'];
    assert.deepEqual(calls, [...read, ...read, ...read]);
  });
});
