import { until } from '../../test/fixtures/until.ts';
import { Workbench } from '../../test/ui/support/workbench.ts';
import { middle, report } from '../measure.ts';
import { EMPTY, withEmptyExtension } from './emptyExtension.ts';

const RUNS = 7;
const OURS = 'offshoot.offshoot';

/** How long the steps of an activation took, in milliseconds. */
interface Activation {
  readonly load: number;
  readonly call: number;
  readonly finish: number;
}

/**
 * What activating the extension adds over one that does nothing and is activated by the same event, in the same host:
 * as VS Code itself measures it, the loading of the code included. Each run has a host of its own.
 */
export async function measureActivation(): Promise<void> {
  await withEmptyExtension(['onView:offshoot.chat'], async (folder) => {
    const workbench = await Workbench.open({ linked: [folder] });
    try {
      const runs: { ours: Activation; empty: Activation }[] = [];
      while (runs.length < RUNS) {
        if (runs.length > 0) await workbench.reload();
        await workbench.openOffshoot();
        runs.push(await activations(workbench));
      }
      const of = (which: 'ours' | 'empty', step: keyof Activation): number =>
        middle(runs.map((run) => run[which][step]));
      const steps = (which: 'ours' | 'empty'): string =>
        `load ${of(which, 'load')}, call ${of(which, 'call')}, finish ${of(which, 'finish')}`;
      const added = runs.map(({ ours, empty }) => whole(ours) - whole(empty));
      report(
        'activation, more than that of an empty extension',
        middle(added),
        50,
        'ms',
        `the least ${Math.min(...added)} ms; ours: ${steps('ours')}; the empty one: ${steps('empty')}`,
      );
    } finally {
      await workbench.close();
    }
  });
}

function whole({ load, call }: Activation): number {
  return load + call;
}

/** What the workbench's own table of activations says. */
async function activations(workbench: Workbench): Promise<{ ours: Activation; empty: Activation }> {
  return until(async () => {
    await workbench.runCommand('perfview.show');
    await workbench.page.locator('.editor-instance .view-lines').first().click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.page.keyboard.press('Control+C');
    const text = await workbench.clipboard();
    const [ours, empty] = [OURS, EMPTY].map((id) => readRow(text, id));
    return ours && empty ? { ours, empty } : undefined;
  }, 'VS Code to say how long activation took');
}

/** A row is: extension, eager, load code, call activate, finish activate, event, by. */
function readRow(text: string, id: string): Activation | undefined {
  const row = text.split('\n').find((line) => line.split('|')[1]?.trim() === id);
  const [, , , load, call, finish] = row?.split('|').map((cell) => Number(cell)) ?? [];
  if (load === undefined || call === undefined || finish === undefined) return undefined;
  return { load, call, finish };
}
