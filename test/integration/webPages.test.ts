import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { NodeWebReader } from '../../src/platform/node/nodeWebReader.ts';
import type { WebReader } from '../../src/platform/webReader.ts';
import { offshoot, setSetting } from './support.ts';
import { page, startWebServer, testReader, type WebServer } from '../fixtures/webServer.ts';

const never = new AbortController().signal;

const status = async (reader: WebReader, url: string): Promise<number> =>
  (await reader.read(new URL(url), { signal: never, wants: () => true })).status;

/** VS Code hands out modules of its own for requests, which know its proxy: what a reader asks of them has to hold there. */
describe('the reader of web pages in VS Code', () => {
  let server: WebServer;
  const http = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('http');

  before(async () => {
    server = await startWebServer(page('x', 'x'));
  });
  afterEach(() => http().update('proxy', undefined, vscode.ConfigurationTarget.Global));
  after(() => server.close());

  it('connects to the addresses that were checked', async () => {
    assert.equal(await status(testReader(), server.url('/direct')), 200);
    assert.deepEqual(server.asked, ['GET docs.example.com/direct']);
    const elsewhere = new NodeWebReader({ resolve: () => Promise.resolve(['127.0.0.1']) });
    await assert.rejects(status(elsewhere, server.url('/no')), { code: 'refused' });
    const unknown = new NodeWebReader({ resolve: () => Promise.resolve([]) });
    await assert.rejects(status(unknown, server.url('/no')), { code: 'unknown-host' });
    assert.equal(server.asked.length, 1);
  });

  it('goes through the proxy of the settings, which knows names that are not known here', async () => {
    const before = server.asked.length;
    await http().update('proxy', server.origin, vscode.ConfigurationTarget.Global);
    const reader = new NodeWebReader({ resolve: () => Promise.resolve([]) });
    assert.equal(await status(reader, 'http://known.offshoot.invalid/page'), 200);
    assert.deepEqual(server.asked.slice(before), [
      'GET known.offshoot.invalidhttp://known.offshoot.invalid/page',
    ]);
  });

  it('asks no proxy for what leads to a private network from here', async () => {
    const before = server.asked.length;
    await http().update('proxy', server.origin, vscode.ConfigurationTarget.Global);
    const reader = new NodeWebReader({ resolve: () => Promise.resolve(['10.0.0.1']) });
    for (const url of [
      'http://docs.example.com/',
      'http://10.0.0.1/',
      'http://printer.local/',
      'http://[::1]/',
    ]) {
      await assert.rejects(status(reader, url), { code: 'refused' }, url);
    }
    assert.equal(server.asked.length, before);
  });
});

describe('the tool that reads web pages', () => {
  it('is offered unless the user turned it off, and is among those to select from', async () => {
    const { tools } = (await offshoot()).parts;
    const offered = () => tools.selectable().web.map(({ name, readsOnly }) => [name, readsOnly]);
    assert.deepEqual(offered(), [['fetch_page', true]]);
    try {
      await setSetting('web.enabled', false);
      assert.deepEqual(offered(), []);
    } finally {
      await setSetting('web.enabled', undefined);
    }
  });
});
