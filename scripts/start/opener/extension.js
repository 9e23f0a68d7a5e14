/* global module, require */
// Only for `npm start` in the local VS Code: shows the chat, the first time with the sample chat in the tree.
const vscode = require('vscode');

const PREPARED = 'prepared';

/** @param {import('vscode').ExtensionContext} context */
async function activate({ globalState }) {
  if (!globalState.get(PREPARED)) {
    await vscode.commands.executeCommand('offshoot.openSampleChat');
    await vscode.commands.executeCommand('offshoot.newChat');
    await globalState.update(PREPARED, true);
  }
  await vscode.commands.executeCommand('offshoot.focusChat');
}

module.exports = { activate };
