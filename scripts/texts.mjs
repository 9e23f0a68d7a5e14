// `@vscode/l10n-dev` finds only `vscode.l10n.t`: docs/decisions/0006-finding-texts.md says why TypeScript's parser is used.
import ts from 'typescript';

/** What makes a text of its argument in the pages, and in what stands below the host. */
const functions = ['t', 'defineMessage'];

/** `t`, `defineMessage`, `vscode.l10n.t` or `l10n.t`. @param {ts.Expression} callee */
function makesText(callee) {
  if (ts.isIdentifier(callee)) return functions.includes(callee.text);
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 't') return false;
  const { expression } = callee;
  const owner = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(owner) && owner.text === 'l10n';
}

/**
 * The texts that users see, in the order they stand in a source.
 * @param {string} source
 * @param {string} file its name, by which it may have markup in it or not
 */
export function textsIn(source, file) {
  /** @type {string[]} */
  const texts = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && makesText(node.expression)) {
      const [text] = node.arguments;
      if (text && ts.isStringLiteralLike(text)) texts.push(text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return texts;
}
