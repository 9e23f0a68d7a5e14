import assert from 'node:assert/strict';
import { flows, type Flow } from '../../realSessions/flows.ts';
import { held } from '../../realSessions/heldSample.ts';
import { matrixOf, type Cell, type Row } from '../../realSessions/matrix.ts';
import { drivers } from '../../realSessions/programs/all.ts';
import { readSample, SAMPLE_PROJECT } from '../../realSessions/sample.ts';
import { figure } from '../../fixtures/figures.ts';

describe('sessions of real programs', () => {
  const rows: Row[] = [];
  after(() => figure('real sessions', matrixOf(rows)));

  for (const driver of drivers) {
    const cells: Partial<Record<Flow, Cell>> = {};
    rows.push({ name: driver.name, version: driver.packages[0]?.version ?? '', cells });
    for (const flow of flows) {
      const drive = driver.flows[flow];
      if ('cannot' in drive) {
        cells[flow] = { state: 'cannot', reason: drive.cannot };
        continue;
      }
      it(`of ${driver.name} come in as they were: ${flow}`, async () => {
        cells[flow] = { state: 'missing' };
        const sample = await readSample(driver.program, flow);
        assert.ok(sample, 'there is no sample: run npm run real-sessions with --sample');
        const problems = await held(sample, SAMPLE_PROJECT, driver);
        cells[flow] = problems.length === 0 ? { state: 'held' } : { state: 'wrong', problems };
        assert.deepEqual(problems, []);
      });
    }
  }
});
