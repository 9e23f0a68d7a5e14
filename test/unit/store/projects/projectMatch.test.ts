import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matchFolders, matchProject, textsToFind } from '../../../../src/store/projects/projectMatch.ts';
import type { ProjectFolder } from '../../../../src/store/projects/projectRecord.ts';
import { projectFolder, projectRecord } from '../../../fixtures/projectFolders.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';

const app = projectFolder('app', { git: { common: 'file:///work/app/.git', first: 'c1', below: '' } });

describe('two folders', () => {
  it('are one when their real paths are, as by a link', () => {
    assert.equal(matchFolders(app, { ...app, uri: 'file:///link' }), 'same');
  });

  it('are one when the disk knows them as one, as after a rename', () => {
    assert.equal(matchFolders(app, { ...app, uri: 'file:///b', real: 'file:///b', name: 'b' }), 'same');
  });

  it('may be one when only the device has another number, as in a snapshot of a disk', () => {
    const file = { device: '9', id: app.file?.id ?? '', born: '1000' };
    assert.equal(matchFolders(app, projectFolder('b', { file })), 'likely');
    assert.equal(matchFolders(app, { ...app, file }), 'same');
  });

  it('are two when an id was given out again', () => {
    const file = { device: '1', id: app.file?.id ?? '', born: '2000' };
    assert.equal(matchFolders(app, projectFolder('b', { file })), undefined);
  });

  it('may be one of another name where a disk does not say when a folder was made', () => {
    const file = { device: '1', id: '5', born: '0' };
    const [one, other] = [projectFolder('a', { file }), projectFolder('b', { file })];
    assert.equal(matchFolders(one, other), 'likely');
    assert.equal(matchFolders(one, { ...one, file: { ...file, id: '6' } }), 'same');
  });

  it('may be one of another name when they are of one repository: a clone, a copy, a move to another disk', () => {
    const git = { common: 'file:///work/b/.git', first: 'c1', below: '' };
    assert.equal(matchFolders(app, projectFolder('b', { git })), 'likely');
    assert.equal(matchFolders(app, projectFolder('b', { git: { ...git, first: 'c2' } })), undefined);
    assert.equal(matchFolders(app, projectFolder('b', { git: { ...git, below: 'docs' } })), undefined);
  });

  it('in one place are only likely one when the disk and git know them as two', () => {
    const file = { device: '1', id: '77', born: '3000' };
    const { git: _, ...rest } = app;
    assert.equal(matchFolders(app, { ...rest, file }), 'likely');
    assert.equal(
      matchFolders(app, { ...app, file, git: { common: 'x', first: 'other', below: '' } }),
      'likely',
    );
    assert.equal(matchFolders(app, { ...app, file }), 'same');
  });

  it('are not compared by ids of two machines', () => {
    const there = projectFolder('b', { machine: 'there', ...(app.file && { file: app.file }) });
    assert.equal(matchFolders(app, there), undefined);
    assert.equal(
      matchFolders(app, { ...app, machine: 'there', file: { device: '2', id: '3', born: '4' } }),
      'same',
    );
  });
});

describe('an opened workspace', () => {
  const api = projectFolder('api');

  it('is the same with the same folders, in any order and under any name', () => {
    assert.equal(matchProject(projectRecord('p', [app, api]), [api, app]), 'same');
  });

  it('is a part, or has more, when it shares only some', () => {
    assert.equal(matchProject(projectRecord('p', [app]), [app, api]), 'part');
    assert.equal(matchProject(projectRecord('p', [app, api]), [app]), 'part');
  });

  it('is no other one without a common folder, nor with none at all', () => {
    assert.equal(matchProject(projectRecord('p', [app]), [api]), undefined);
    assert.equal(matchProject(projectRecord('p', []), [api]), undefined);
    assert.equal(matchProject(projectRecord('p', [app]), []), undefined);
  });
});

describe('the laws of it (fuzz)', () => {
  const few = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
  const folder: fc.Arbitrary<ProjectFolder> = fc.record({
    uri: few('file:///a', 'file:///b'),
    name: few('a', 'b'),
    real: few('file:///a', 'file:///b', 'file:///"quoted\\'),
    machine: few('here', 'there'),
    file: fc.record({ device: few('1', '2'), id: few('1', '2'), born: few('0', '1', '2') }),
    git: fc.record({ common: few('x', 'y'), first: few('c1', 'c2'), below: few('', 'docs') }),
  });
  const some: fc.Arbitrary<ProjectFolder> = fc
    .tuple(folder, fc.boolean(), fc.boolean())
    .map(([{ file, git, ...rest }, hasFile, hasGit]) => ({
      ...rest,
      ...(hasFile && file ? { file } : {}),
      ...(hasGit && git ? { git } : {}),
    }));
  const runs = { numRuns: fuzzRuns(1_000) };

  it('a folder is itself', () => {
    fc.assert(
      fc.property(some, (one) => assert.equal(matchFolders(one, one), 'same')),
      runs,
    );
  });

  it('it does not matter which of two was there first', () => {
    fc.assert(
      fc.property(some, some, (one, other) =>
        assert.equal(matchFolders(one, other), matchFolders(other, one)),
      ),
      runs,
    );
  });

  it('a record that matches has one of the texts by which it is found', () => {
    fc.assert(
      fc.property(fc.array(some, { maxLength: 3 }), fc.array(some, { maxLength: 3 }), (known, open) => {
        const record = projectRecord('p', known);
        if (matchProject(record, open) === undefined) return;
        const line = JSON.stringify(record);
        assert.ok(open.flatMap(textsToFind).some((text) => line.includes(text)));
      }),
      runs,
    );
  });
});
