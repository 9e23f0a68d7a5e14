// Pictures of all there is to see, in four themes and three widths, to be looked at; they lie in out/screenshots.
//   npm run screenshots                    all of them
//   npm run screenshots -- tools           the pages whose state has that word in its name
//   npm run screenshots -- workbench       what VS Code itself draws: the views, the lists, the graph's tab, the walkthrough
//   npm run screenshots -- workbench graph the ones of these with that word in their name
//   npm run screenshots -- tasks           ten tasks of a day, each step by step; with a number that one alone
//   npm run screenshots -- readme          the pictures of the README, in media
import { loadHost } from '../support/host.ts';
import { writeReadmePictures } from './readme.ts';
import { writeTaskSheets } from './tasks/index.ts';
import { writePageSheets } from './pages.ts';
import { writeWorkbenchSheets } from './workbench.ts';

const words = process.argv.slice(2);
const [first = '', ...more] = words;
if (first === 'readme') await writeReadmePictures();
else if (first !== 'workbench' && first !== 'tasks') await writePageSheets(words.join(' '));
if (first === '' || first === 'workbench') await writeWorkbenchSheets(more.join(' '));
if (first === '' || first === 'tasks') await writeTaskSheets(Number(more[0]));
await (await loadHost()).closeBrowser();
