export { closeBrowser, launchWithProfile, sharedBrowser } from './browser.mjs';
export { reinstall, startServer, withoutMotion } from './server.mjs';
export { lendServer } from './shared-server.mjs';
export { startWebServer } from './web/web-server.mjs';
export { workbenchUrl } from './workbench-url.mjs';
