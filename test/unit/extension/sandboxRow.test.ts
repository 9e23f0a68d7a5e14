import assert from 'node:assert/strict';
import type { NoSandboxReason } from '../../../src/host/sandbox.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

interface ShownRow {
  readonly label: string;
  readonly detail?: string;
  readonly description?: string;
}

/** Where the mode is picked, with a user who presses the row for the sandbox, and a memory. */
class Picker {
  shown: readonly ShownRow[] = [];
  private readonly kept = new Map<string, unknown>();

  constructor(private readonly reason: NoSandboxReason | undefined) {}

  readonly window = {
    showQuickPick: async (rows: Promise<readonly ShownRow[]>): Promise<ShownRow | undefined> => {
      this.shown = await rows;
      return this.shown.at(-1);
    },
  };

  get isUnasked(): boolean {
    return this.kept.get('unasked') === true;
  }

  /** The row, once it was pressed. */
  async press(): Promise<ShownRow | undefined> {
    const { window } = this;
    class EventEmitter {
      readonly event = () => undefined;
      fire(): void {
        // Nobody listens.
      }
    }
    const more = {
      window,
      EventEmitter,
      QuickPickItemKind: { Separator: -1, Default: 0 },
    };
    const { pickMode, SelectedMode } = await withVsCodeStub(
      async () => ({
        ...(await import('../../../src/extension/tools/pickMode.ts')),
        ...(await import('../../../src/extension/tools/selectedMode.ts')),
      }),
      more,
    );
    const memory = { get: () => undefined, keys: () => [], update: () => Promise.resolve() };
    const mode = new SelectedMode(memory, {
      isUnasked: () => this.isUnasked,
      setUnasked: (isUnasked) => Promise.resolve(void this.kept.set('unasked', isUnasked)),
      whyNone: () => Promise.resolve(this.reason),
    });
    const none = {
      list: () => Promise.resolve([]),
      missingOf: () => Promise.resolve([]),
      handoffsOf: () => Promise.resolve([]),
    };
    const agents = { reader: () => Promise.resolve(none) };
    await pickMode({ mode, agents }, { focus: () => Promise.resolve() });
    return this.shown.at(-1);
  }
}

describe('the row for the sandbox, where the mode is picked', () => {
  it('turns it on and off', async () => {
    const picker = new Picker(undefined);
    assert.equal(picker.isUnasked, false, 'it is off until then');
    const off = await picker.press();
    assert.match(off?.label ?? '', /Run in Sandbox Without Asking$/u);
    assert.deepEqual([off?.description, picker.isUnasked], [undefined, true]);
    const on = await picker.press();
    assert.deepEqual([on?.description, picker.isUnasked], ['turned on', false]);
  });

  it('says why there is none, and sets nothing', async () => {
    for (const [reason, text] of [
      ['system', /^Not available on this system/u],
      ['program', /^Install bubblewrap/u],
      ['refused', /^This system doesn’t allow sandboxes/u],
    ] as const) {
      const picker = new Picker(reason);
      const row = await picker.press();
      assert.match(row?.detail ?? '', text);
      assert.equal(picker.isUnasked, false);
    }
  });
});
