import assert from 'node:assert/strict';
import type * as settingsModule from '../../../src/extension/manifest/settings.ts';
import type { Settings, SettingsMemory } from '../../../src/extension/manifest/settings.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

interface Written {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
}

/** Of one kind of state of VS Code's. */
function memento(values: Map<string, unknown>): SettingsMemory['globalState'] {
  const made: unknown = {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    setKeysForSync: () => undefined,
  };
  return made as SettingsMemory['globalState'];
}

describe('what lists remember', () => {
  /** What stands in the files of settings, by name. */
  let written: Readonly<Record<string, Written>> = {};
  let made: typeof settingsModule | undefined;

  before(async () => {
    const workspace = {
      workspaceFolders: [],
      getConfiguration: () => ({
        get: (name: string) => written[name]?.globalValue,
        inspect: (name: string) => written[name],
      }),
      onDidChangeConfiguration: () => ({ dispose: () => undefined }),
    };
    made = await withVsCodeStub(() => import('../../../src/extension/manifest/settings.ts'), { workspace });
  });

  function useSettings(now: typeof written) {
    written = now;
    const [ofUser, ofWorkspace] = [new Map<string, unknown>(), new Map<string, unknown>()];
    const memory = { globalState: memento(ofUser), workspaceState: memento(ofWorkspace) };
    const log: unknown = { warn: () => undefined };
    assert.ok(made);
    const settings = new made.Settings(log as ConstructorParameters<typeof Settings>[0], memory);
    return { settings, ofUser, ofWorkspace };
  }

  it('is stored by VS Code, for the user or the workspace, and no setting', async () => {
    const { settings, ofUser, ofWorkspace } = useSettings({});
    let changes = 0;
    const listening = settings.onDidChange(() => (changes += 1));
    await settings.set('model', 'demo:offline');
    await settings.set('tools.off', ['read_file']);
    assert.equal(settings.get('model'), 'demo:offline');
    assert.deepEqual(settings.get('tools.off'), ['read_file']);
    assert.deepEqual([...ofUser.keys()], ['offshoot.setting.model']);
    assert.deepEqual([...ofWorkspace.keys()], ['offshoot.setting.tools.off']);
    assert.equal(changes, 2);
    listening.dispose();
    await settings.set('model', undefined);
    assert.equal(settings.get('model'), '');
    assert.equal(changes, 2);
  });

  it('is what settings.json says until something is picked', async () => {
    const { settings } = useSettings({ model: { globalValue: 'openai:gpt-5.1' } });
    assert.equal(settings.get('model'), 'openai:gpt-5.1');
    await settings.set('model', 'demo:offline');
    assert.equal(settings.get('model'), 'demo:offline');
  });

  it('is the default that another extension declares, unless the user has written something else', () => {
    const { settings } = useSettings({
      model: { defaultValue: 'demo:offline' },
      'demo.pace': { defaultValue: 10, globalValue: 20 },
    });
    assert.equal(settings.get('model'), 'demo:offline');
    assert.equal(settings.get('demo.pace'), 20);
  });

  it('is never what a repository says, but for tools that it takes away', () => {
    const { settings } = useSettings({
      model: { workspaceValue: 'evil:model' },
      'openaiCompatible.baseUrl': { workspaceValue: 'https://evil.example/v1' },
      'sharedStore.address': { workspaceValue: 'postgres://evil.example/db' },
      'tools.off': { workspaceValue: ['read_file'], globalValue: ['edit_file'] },
    });
    assert.equal(settings.get('model'), '');
    assert.equal(settings.get('openaiCompatible.baseUrl'), '');
    assert.equal(settings.get('sharedStore.address'), '');
    assert.deepEqual(settings.get('tools.off'), ['read_file']);
  });

  it('counts under the names of before, for what one setting has now', () => {
    const before = {
      'sharedStore.certificateAuthority': { globalValue: '/a.pem' },
      'sharedStore.allowPlainConnection': { workspaceValue: true },
    };
    const { settings } = useSettings(before);
    const connection = made?.sharedConnectionOf(settings);
    assert.deepEqual(connection, { authority: '/a.pem', allowPlainConnection: false });
    const now = { certificateAuthority: '/b.pem', allowPlainConnection: true };
    written = { ...before, 'sharedStore.connection': { globalValue: now } };
    const changed = made?.sharedConnectionOf(settings);
    assert.deepEqual(changed, { authority: '/b.pem', allowPlainConnection: true });
  });

  it('counts as not set when it makes no sense', () => {
    const { settings } = useSettings({ 'demo.pace': { globalValue: 'as fast as you can' } });
    assert.equal(settings.get('demo.pace'), 33);
  });
});
