// npm run screenshots: contact sheets of the pages and of the workbench, in out/screenshots.
import { ensureDependencies } from './dependencies.mjs';
import { importBundled } from './bundled.mjs';
import { installHost } from './host/install.mjs';
import { continueWithModernNode } from './node22.mjs';

await ensureDependencies();
await continueWithModernNode();
await installHost();
await importBundled('test/ui/sheets/index.ts', 'test/sheets.mjs');
