import assert from 'node:assert/strict';
import path from 'node:path';
import ts from 'typescript';

const entries = {
  'dist/engine.mjs': path.resolve('dist', 'engine.d.mts'),
  'the entry for browsers': path.resolve('dist', 'engine', 'browser.d.mts'),
};

/** Names of what a module exports, and of the methods of its classes and interfaces, that say nothing of themselves. */
function undocumented(entry: string): string[] {
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  assert.ok(module, 'the types of the engine are built');
  const isSilent = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length === 0;
  const isPublic = ({ declarations }: ts.Symbol): boolean =>
    !declarations?.some((declaration) => ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private);
  const isMethod = ({ flags }: ts.Symbol): boolean =>
    (flags & (ts.SymbolFlags.Method | ts.SymbolFlags.GetAccessor)) !== 0;
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const isType = (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0;
    const members = isType ? [...(symbol.members?.values() ?? [])] : [];
    return [
      ...(isSilent(symbol) ? [symbol.name] : []),
      ...members
        .filter((member) => isMethod(member) && isPublic(member) && isSilent(member))
        .map(({ name }) => `${symbol.name}.${name}`),
    ];
  });
}

for (const [name, entry] of Object.entries(entries)) {
  describe(`the documentation of ${name}`, () => {
    it('says of every export and every method what it is for', function () {
      this.timeout(60_000);
      assert.deepEqual(undocumented(entry), []);
    });
  });
}
