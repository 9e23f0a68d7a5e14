import { build } from 'esbuild';

/**
 * The script in the document of the chat, as text: fetched by itself it would come later than all it waits for.
 * @param {string} source
 */
export async function openingScript(source) {
  const { outputFiles } = await build({
    ...{ entryPoints: [source], bundle: true, write: false, minify: true, logLevel: 'warning' },
    ...{ platform: 'browser', format: 'iife', target: 'chrome132' },
  });
  return outputFiles[0]?.text.trim() ?? '';
}
