import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

describe('the page of the settings', () => {
  it('is that of package.json (npm run docs:settings writes it)', async () => {
    const script = path.join('scripts', 'settingsDoc.mjs');
    await assert.doesNotReject(promisify(execFile)(process.execPath, [script, '--check']));
  });
});
