import path from 'node:path';
import { root } from '../host/paths.mjs';
import { startWebServer } from '../host/web/web-server.mjs';

/** Shows the chat when the window opens. */
const opener = path.join(root, 'scripts', 'start', 'opener');

/**
 * Serves VS Code without a server of its own, with the extension in it. The browser keeps everything by the address, the
 * files of the folder too: it has a copy of them, made when it comes for the first time.
 * @param {{ port: number, folder: string }} options
 */
export async function startWeb({ port, folder }) {
  const options = { extensions: [root, opener], folder };
  const server = await startWebServer({ ...options, port }).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    console.log(`Port ${port} is taken, so another is used; what a browser kept before is not there.`);
    return startWebServer(options);
  });
  return { url: `${server.origin}/seed`, server };
}
