import { build } from 'esbuild';
import path from 'node:path';
import { root } from '../host/paths.mjs';

/**
 * The script in the document of the chat, as a constant of whatever makes that document: fetched by itself it would come
 * later than all it waits for.
 */
export async function openingScript() {
  const { outputFiles } = await build({
    ...{
      entryPoints: [path.join(root, 'src', 'webview', 'opening.ts')],
      bundle: true,
      write: false,
      minify: true,
      logLevel: 'warning',
    },
    ...{ platform: 'browser', format: 'iife', target: 'chrome132' },
  });
  return { OFFSHOOT_OPENING: JSON.stringify(outputFiles[0]?.text.trim() ?? '') };
}
