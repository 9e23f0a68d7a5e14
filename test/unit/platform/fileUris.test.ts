import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodedPath, uriBelow } from '../../../src/host/fileUri.ts';
import { pathOf, uriOf } from '../../../src/host/node/fileUris.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** What VS Code's `Uri.file(path).toString()` gives; the integration tests ask VS Code itself. */
const known = [
  ['/work/src/a.ts', 'file:///work/src/a.ts'],
  ['/a b/[x] (1)!.ts', 'file:///a%20b/%5Bx%5D%20%281%29%21.ts'],
  ["/it's @home+&co;$=,*", 'file:///it%27s%20%40home%2B%26co%3B%24%3D%2C%2A'],
  ['/100%/#1?.ts', 'file:///100%25/%231%3F.ts'],
  ['/ä/日本/😀', 'file:///%C3%A4/%E6%97%A5%E6%9C%AC/%F0%9F%98%80'],
  ['/back\\slash:colon', 'file:///back%5Cslash%3Acolon'],
  ['/~a/-_.b', 'file:///~a/-_.b'],
  ['/', 'file:///'],
] as const;

const knownOnWindows = [
  ['C:\\Users\\me\\a.ts', 'file:///c%3A/Users/me/a.ts', 'c:\\Users\\me\\a.ts'],
  ['d:\\x y', 'file:///d%3A/x%20y', 'd:\\x y'],
  ['\\\\Server\\share\\a.ts', 'file://server/share/a.ts', '\\\\server\\share\\a.ts'],
] as const;

describe('the URI of a file', () => {
  it('is written as VS Code writes it, and leads back to the file', () => {
    for (const [path, uri] of known) {
      assert.equal(uriOf(path, false), uri);
      assert.equal(pathOf(uri, false), path);
    }
    for (const [path, uri, back] of knownOnWindows) {
      assert.equal(uriOf(path, true), uri);
      assert.equal(pathOf(uri, true), back);
    }
  });

  it('leads to the same path whatever its scheme is', () => {
    assert.equal(pathOf('vscode-userdata:/home/me/a%20b', false), '/home/me/a b');
    assert.equal(pathOf('vscode-userdata:/c%3A/Users', true), 'c:\\Users');
    assert.equal(pathOf('vscode-remote://ssh-remote%2Bme/home/me', false), '/home/me');
    assert.throws(() => pathOf('/home/me', false), TypeError);
  });

  it('has no second spelling, and leads back (fuzz)', () => {
    const part = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 8 })
      .map((text) => text.replaceAll('/', '-').toWellFormed());
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), part, (parts, name) => {
        const folder = `/${parts.join('/')}`;
        const uri = uriOf(folder, false);
        assert.match(uri, /^file:\/\/[\w\-.~%/]*$/u);
        assert.equal(pathOf(uri, false), folder);
        assert.equal(uriBelow(uri, name), uriOf(`${folder}/${name}`, false));
      }),
      { numRuns: fuzzRuns(500) },
    );
  });

  it('can be made of a name that is no text in Unicode', () => {
    assert.equal(encodedPath('a\ud800b'), 'a%EF%BF%BDb');
  });

  it('of what lies at the top has one slash', () => {
    assert.equal(uriBelow('file:///', 'a.ts'), 'file:///a.ts');
  });
});
