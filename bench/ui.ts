// What reading costs: the page in Chromium, and the whole in a real workbench; the baseline of each ratio is measured in
// the same run. Figures taken while something else runs on the machine say little.
//   npm run bench:ui [-- sizes|page|graph|workbench|tree|activation|firstView|browserView|lookBack]
import { loadHost } from '../test/ui/support/host.ts';
import { measureActivation } from './ui/activation.ts';
import { measureFirstView, measureFirstViewInBrowser } from './ui/firstView.ts';
import { measureGraph } from './ui/graph.ts';
import { measureLookBack } from './ui/lookBack.ts';
import { measurePage } from './ui/page.ts';
import { measureSizes } from './ui/sizes.ts';
import { measureTree } from './ui/tree.ts';
import { measureWorkbench } from './ui/workbench.ts';

const parts: Readonly<Record<string, () => Promise<void>>> = {
  sizes: measureSizes,
  page: measurePage,
  graph: measureGraph,
  workbench: measureWorkbench,
  tree: measureTree,
  activation: measureActivation,
  firstView: measureFirstView,
  browserView: measureFirstViewInBrowser,
  lookBack: measureLookBack,
};

const wanted = process.argv.slice(3);
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined)
  throw new Error(`There is no bench '${unknown}'; there are ${Object.keys(parts).join(', ')}.`);
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure();
}
// Several of them share one browser.
await (await loadHost()).closeBrowser();
