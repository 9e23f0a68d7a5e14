import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { comparisonUri } from '../../src/extension/branches/comparisonDocuments.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { versionUri } from '../../src/extension/files/versionUris.ts';
import { LocalServer } from '../fixtures/localServer.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { diffTab, lookAtProposed, useHostileAssociations } from './proposedChange.ts';
import { offshoot } from './support.ts';

/** A server that wants to learn what is opened in the editor. */
class SchemaServer extends LocalServer {
  readonly asked: string[] = [];
  protected override answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end('{}');
    return Promise.resolve();
  }
}

describe('what nobody has allowed yet, and the services of languages', () => {
  let api: Offshoot;
  let schemas: SchemaServer;
  const files = new FolderFiles();
  const trust = async (domains: Record<string, boolean> | undefined): Promise<void> => {
    const json = vscode.workspace.getConfiguration('json');
    if (json.inspect('schemaDownload.trustedDomains')?.defaultValue === undefined) return;
    await json.update('schemaDownload.trustedDomains', domains, vscode.ConfigurationTarget.Global);
  };

  useHostileAssociations();
  before(async () => {
    api = await offshoot();
    schemas = await new SchemaServer().listen();
    await trust({ [schemas.origin]: true });
  });
  after(async () => {
    await trust(undefined);
    await files.remove('.vscode');
    await schemas.close();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is plain text for every service of a language, and fetches nothing', async () => {
    const wanted = (name: string): string => `{ "$schema": "${schemas.origin}/${name}" }\n`;
    const names = [
      'a.json',
      'tasks.json',
      'b.html',
      'c.css',
      'd.ts',
      'e.md',
      'f.yaml',
      '.code-workspace',
      'x',
    ];
    for (const name of names) {
      const preview = {
        shown: name,
        uri: files.uri(name).toString(),
        before: '{}',
        after: wanted('proposed'),
      };
      await lookAtProposed(api, preview, async ({ original, modified }) => {
        for (const uri of [original, modified]) {
          const document = await vscode.workspace.openTextDocument(uri);
          assert.equal(document.languageId, 'plaintext', name);
        }
        assert.equal((await vscode.workspace.openTextDocument(modified)).getText(), wanted('proposed'));
      });
    }

    await api.parts.suggestions.show({ code: wanted('suggested'), language: 'json', file: 'new.json' });
    const suggested = await until(diffTab, 'the comparison');
    const hash = await api.parts.store.blobs.put(new TextEncoder().encode(wanted('version')));
    const kept = versionUri('old.json', { hash } as Parameters<typeof versionUri>[1]);
    const chatId = await api.parts.current.chatId();
    const state = comparisonUri({ show: 'state', chatId, headId: null, key: 'x' });
    for (const uri of [suggested.original, suggested.modified, kept, state]) {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      assert.equal(document.languageId, 'plaintext', uri.toString());
    }

    // The service is there, and fetches what a file names that is opened by its own name.
    await files.write('control.json', wanted('control'));
    try {
      await vscode.window.showTextDocument(
        await vscode.workspace.openTextDocument(files.uri('control.json')),
      );
      await until(() => schemas.asked.length > 0, 'the service to fetch the schema of the file');
      assert.deepEqual([...new Set(schemas.asked)], ['/control']);
    } finally {
      await files.remove('control.json');
    }
  });
});
