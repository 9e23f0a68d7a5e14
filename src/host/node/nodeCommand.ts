/** How programs of Node are started. On a desktop this is the editor itself, which the variable turns into a plain Node. */
export const nodeCommand = { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } };
