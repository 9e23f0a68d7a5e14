export { closeBrowser, sharedBrowser } from './browser.mjs';
export { startServer } from './server.mjs';
export { workbenchUrl } from './workbench-url.mjs';
