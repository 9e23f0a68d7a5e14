/**
 * The address of a workbench.
 * @param {string} origin
 * @param {object} [what]
 * @param {string} [what.folder] the folder to open
 * @param {string} [what.workspace] the file of a workspace to open in place of one
 * @param {string} [what.development] an extension to run from its sources' folder
 * @param {string} [what.tests] a module to run in the extension host
 */
export function workbenchUrl(origin, { folder, workspace, development, tests } = {}) {
  const url = new URL(origin);
  const remote = (/** @type {string} */ file) => `vscode-remote://${url.host}${file}`;
  const payload = [];
  if (development) payload.push(['extensionDevelopmentPath', remote(development)]);
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  if (folder) url.searchParams.set('folder', folder);
  if (workspace) url.searchParams.set('workspace', workspace);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}
