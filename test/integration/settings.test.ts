import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { z } from 'zod';
import { Settings } from '../../src/extension/manifest/settings.ts';
import { offshoot, setSetting } from './support.ts';

const manifest = z.object({
  contributes: z.object({
    configuration: z.object({ properties: z.record(z.string(), z.object({ default: z.unknown() })) }),
  }),
});

describe('settings', () => {
  let log: vscode.LogOutputChannel;
  let warnings: string[];
  let settings: Settings;

  beforeEach(() => {
    log = vscode.window.createOutputChannel('Offshoot Settings Test', { log: true });
    warnings = [];
    log.warn = (message: string) => void warnings.push(message);
    settings = new Settings(log);
  });
  afterEach(async () => {
    await setSetting('demo.pace', undefined);
    // As all other tests want it.
    await setSetting('titles', 'words');
    log.dispose();
  });

  it('have the defaults that the manifest announces', async () => {
    await offshoot();
    await setSetting('titles', undefined);
    const extension = vscode.extensions.getExtension('offshoot.offshoot');
    const { properties } = manifest.parse(extension?.packageJSON).contributes.configuration;
    for (const [name, { default: announced }] of Object.entries(properties)) {
      const own = name.replace(/^offshoot\./, '') as Parameters<Settings['get']>[0];
      assert.deepEqual(settings.get(own), announced, name);
    }
    assert.deepEqual(warnings, []);
  });

  it('count as not set when their value makes no sense, and the log says so once', async () => {
    await setSetting('demo.pace', 'as fast as you can');
    assert.equal(settings.get('demo.pace'), 33);
    assert.equal(settings.get('demo.pace'), 33);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /offshoot\.demo\.pace/);
    assert.doesNotMatch(warnings[0] ?? '', /as fast as/);
  });
});
