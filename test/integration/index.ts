import { readdirSync } from 'node:fs';
import path from 'node:path';
import { prepare } from './prepare.ts';

/** Runs the bundled tests next to this module; VS Code calls it in the extension host. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({
    reporter: process.env['OFFSHOOT_TEST_REPORTER'] ?? 'spec',
    timeout: 20_000,
    color: false,
  });
  const grep = process.env['OFFSHOOT_TEST_GREP'];
  if (grep) mocha.grep(grep);
  for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.test.cjs')) mocha.addFile(path.join(__dirname, file));
  }

  await prepare();

  let ran = 0;
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve).on('test end', () => ran++);
  });
  if (failures > 0) throw new Error(`${failures} integration tests failed.`);
  if (ran === 0) throw new Error('No integration test ran.');
}
