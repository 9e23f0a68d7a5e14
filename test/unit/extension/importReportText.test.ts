import assert from 'node:assert/strict';
import { defineMessage } from '../../../src/engine/messageDescriptor.ts';
import { ImportReport } from '../../../src/importExport/importReport.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

describe('the report of an import', () => {
  const outcomeOf = (leftOut: ImportReport) => ({
    created: ['1'],
    extended: [],
    unchanged: [],
    failed: [],
    isStopped: false,
    leftOut,
  });

  it('names the first lines of what was left out, and bookkeeping after what may be missed', async () => {
    const { reportDocument } = await withVsCodeStub(
      () => import('../../../src/extension/importExport/importReportText.ts'),
    );
    const report = new ImportReport('session\u202e.jsonl');
    report.bookkeeping(27);
    for (const line of [3, 5, 8, 13, 21, 34]) {
      report.at(line);
      report.add(defineMessage('Records of an unknown kind'));
    }
    report.at(undefined);
    report.add(defineMessage('Hidden messages'), 2);
    const lines = reportDocument(outcomeOf(report), [], new Map()).split('\n');
    assert.deepEqual(lines.slice(lines.indexOf('Left out or changed') + 2), [
      'Records of an unknown kind: 6 (session‹U+202E›.jsonl:3, session‹U+202E›.jsonl:5, session‹U+202E›.jsonl:8, session‹U+202E›.jsonl:13, session‹U+202E›.jsonl:21, …)',
      'Hidden messages: 2',
      'Settings, states and other bookkeeping, which belong to the program: 27',
      '',
    ]);
  });

  it('is not offered for bookkeeping alone, of which every session has some', async () => {
    const { hasDetails } = await withVsCodeStub(
      () => import('../../../src/extension/importExport/importReportText.ts'),
    );
    const report = new ImportReport();
    report.bookkeeping();
    assert.equal(hasDetails(outcomeOf(report), []), false);
    report.add(defineMessage('Hidden messages'));
    assert.equal(hasDetails(outcomeOf(report), []), true);
  });

  it('keeps the counts and places of several files', () => {
    const all = new ImportReport();
    for (const name of ['a', 'b']) {
      const report = new ImportReport(name);
      report.at(1);
      report.add(defineMessage('Hidden messages'));
      report.bookkeeping(2);
      all.addAll(report);
    }
    assert.deepEqual(
      all.allWithBookkeeping().map(({ count, places }) => [count, places]),
      [
        [2, ['a:1', 'b:1']],
        [4, []],
      ],
    );
  });
});
