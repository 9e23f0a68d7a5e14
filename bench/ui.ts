// What reading costs: the page in Chromium, and the whole in a real workbench; the baseline of each ratio is measured in
// the same run. Figures taken while something else runs on the machine say little.
//   npm run bench:ui
import { measureActivation } from './ui/activation.ts';
import { measureGraph } from './ui/graph.ts';
import { measurePage } from './ui/page.ts';
import { measureSizes } from './ui/sizes.ts';
import { measureTree } from './ui/tree.ts';
import { measureWorkbench } from './ui/workbench.ts';

await measureSizes();
await measurePage();
await measureGraph();
await measureWorkbench();
await measureTree();
await measureActivation();
