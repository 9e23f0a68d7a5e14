import assert from 'node:assert/strict';
import { chmod, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { useFileTurns } from './fileTurns.ts';
import { setSetting } from './support.ts';

describe('the mode of a file in the extension host', () => {
  const turns = useFileTurns();

  it('is as it was once the file is back', async () => {
    const { files, turn } = turns();
    await setSetting('restoreFiles', 'always');
    await files.write('run.sh', '#!/bin/sh\n');
    const onDisk = files.uri('run.sh').fsPath;
    await chmod(onDisk, 0o755);
    const first = await turn({ started: 'x' });
    await turn({ 'run.sh': null });
    assert.equal(await files.exists('run.sh'), false);
    await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId: first });
    assert.equal((await stat(onDisk)).mode & 0o777, 0o755);
  });
});
