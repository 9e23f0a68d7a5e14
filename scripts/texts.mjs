/** `vscode.l10n.t('…')` in the host, `t('…')` in the page, and `defineMessage('…')` in what stands below the host. */
const call = /\b(?:t|defineMessage)\(\s*'((?:\\.|[^'\\])*)'/g;

/** The texts that users see, in the order they stand in a source. @param {string} source */
export function textsIn(source) {
  return Array.from(source.matchAll(call), ([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
