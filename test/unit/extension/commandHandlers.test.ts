import assert from 'node:assert/strict';
import { together, type CommandHandlers } from '../../../src/extension/commands/commandHandlers.ts';
import type { CommandId, CommandName, ContextKey } from '../../../src/extension/manifest/ids.ts';

const nothing = (): Promise<void> => Promise.resolve();
const undo = { undo: nothing };
const redo = { redo: nothing };

// Each comment below fails the type check where what follows it compiles.
describe('the handlers of commands', () => {
  it('are put together, and one that is missing, doubled or unknown does not compile', () => {
    const both: CommandHandlers<'undo' | 'redo'> = together(undo, redo);
    assert.deepEqual(Object.keys(both), ['undo', 'redo']);
    // @ts-expect-error: nothing does `stop`
    const missing: CommandHandlers<'undo' | 'redo' | 'stop'> = together(undo, redo);
    assert.ok(!('stop' in missing));
    // @ts-expect-error: two parts do `undo`
    const doubled: CommandHandlers<'undo' | 'redo'> = together(undo, redo, { undo: () => nothing() });
    assert.notEqual(doubled.undo, nothing);
    // @ts-expect-error: package.json has no such command
    const unknown: CommandHandlers<'undoAll'> = { undoAll: nothing };
    assert.deepEqual(Object.keys(unknown), ['undoAll']);
  });

  it('go by the ids of package.json, and no other compiles', () => {
    const id: CommandId = 'offshoot.undo';
    const name: CommandName = 'undo';
    assert.equal(id, `offshoot.${name}`);
    // @ts-expect-error: package.json has no such command
    const unknownId: CommandId = 'offshoot.undoAll';
    // @ts-expect-error: no clause of package.json asks for this
    const unknownKey: ContextKey = 'offshoot.hasNothing';
    assert.deepEqual([unknownId, unknownKey], ['offshoot.undoAll', 'offshoot.hasNothing']);
  });
});
