import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { uriBelow } from '../../src/host/fileUri.ts';
import { pathOf, uriOf } from '../../src/host/node/fileUris.ts';

const isWindows = process.platform === 'win32';

describe('the URI of a file', () => {
  it('is the one VS Code gives it, by any characters, and leads where VS Code has it', () => {
    const part = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 8 })
      .map((text) => text.replaceAll(/[/\\:]/gu, '-').toWellFormed());
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), part, (parts, name) => {
        const file = `${isWindows ? 'C:' : ''}/${parts.join('/')}`;
        const uri = vscode.Uri.file(file);
        assert.equal(uriOf(file), uri.toString());
        assert.equal(pathOf(uri.toString()), uri.fsPath);
        assert.equal(vscode.Uri.parse(uriOf(file), true).fsPath, uri.fsPath);
        assert.equal(uriBelow(uri.toString(), name), vscode.Uri.file(`${file}/${name}`).toString());
      }),
      { numRuns: 500 },
    );
  });

  it('leads to the folders in which VS Code lets the extension keep its files', () => {
    for (const scheme of ['file', 'vscode-userdata']) {
      const uri = vscode.Uri.file('/home/me/User Data').with({ scheme });
      assert.equal(pathOf(uri.toString()), uri.fsPath);
    }
  });
});
