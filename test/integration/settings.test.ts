import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { z } from 'zod';
import { Settings, type SettingsMemory } from '../../src/extension/manifest/settings.ts';
import { offshoot, setSetting } from './support.ts';

const manifest = z.object({
  contributes: z.object({
    configuration: z.object({ properties: z.record(z.string(), z.object({ default: z.unknown() })) }),
  }),
});

/** What is remembered for one test. */
function memory(): SettingsMemory {
  const memento = () => {
    const values = new Map<string, unknown>();
    return {
      keys: () => [...values.keys()],
      get: <T>(key: string, fallback?: T) => (values.get(key) as T | undefined) ?? fallback,
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
      setKeysForSync: () => undefined,
    } as unknown as SettingsMemory['globalState'];
  };
  return { globalState: memento(), workspaceState: memento() };
}

describe('settings', () => {
  let log: vscode.LogOutputChannel;
  let warnings: string[];
  let settings: Settings;

  beforeEach(() => {
    log = vscode.window.createOutputChannel('Offshoot Settings Test', { log: true });
    warnings = [];
    log.warn = (message: string) => void warnings.push(message);
    settings = new Settings(log, memory());
  });
  afterEach(async () => {
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
    await setSetting('titles', 'as you like');
    assert.equal(settings.get('titles'), 'model');
    assert.equal(settings.get('titles'), 'model');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /offshoot\.titles/);
    assert.doesNotMatch(warnings[0] ?? '', /as you like/);
  });
});
