import assert from 'node:assert/strict';
import { droppedUris, holdsVsCodeFiles } from '../../../src/webview/attachments/droppedFiles.ts';

const held = (data: Readonly<Record<string, string>>) => ({ getData: (type: string) => data[type] ?? '' });

describe('what is dropped from VS Code', () => {
  it('is known by its kinds; a link of a page is none', () => {
    assert.ok(holdsVsCodeFiles(['text/plain', 'application/vnd.code.uri-list']));
    assert.ok(holdsVsCodeFiles(['codeeditors']));
    assert.equal(holdsVsCodeFiles(['text/plain', 'text/uri-list', 'Files']), false);
  });

  it('is read from the list that names most, each address once and in order', () => {
    const list = 'file:///w/a.ts\r\n# a comment\r\nfile:///w/src\r\n\r\nfile:///w/a.ts';
    assert.deepEqual(droppedUris(held({ 'application/vnd.code.uri-list': list, resourceurls: '["x"]' })), [
      'file:///w/a.ts',
      'file:///w/src',
    ]);
    assert.deepEqual(droppedUris(held({ resourceurls: '["file:///w/a.ts",1,null]' })), ['file:///w/a.ts']);
    assert.deepEqual(droppedUris(held({ codefiles: '["/w/a b.ts","C:\\\\w\\\\c.ts"]' })), [
      'file:///w/a%20b.ts',
      'file:///C%3A/w/c.ts',
    ]);
    assert.deepEqual(droppedUris(held({ 'text/uri-list': 'file:///w/a.ts' })), ['file:///w/a.ts']);
  });

  it('is nothing where it cannot be read', () => {
    assert.deepEqual(droppedUris(held({ resourceurls: '{', codefiles: '{"a":1}' })), []);
  });
});
