import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { notices, sectionsOf } from '../../../scripts/build/notices.mjs';
import { figure } from '../../fixtures/figures.ts';

const audited = z.strictObject({
  renewed: z.iso.date().optional(),
  packages: z.record(
    z.string(),
    z.strictObject({
      license: z.string(),
      published: z.iso.date().optional(),
      maintainers: z.array(z.string()).min(1).optional(),
    }),
  ),
  advisories: z
    .array(z.strictObject({ name: z.string(), severity: z.string(), title: z.string(), url: z.string() }))
    .optional(),
  /** Why what is known against a package does no harm here, by its address. */
  accepted: z.record(z.string(), z.string().min(20)),
});

/** Licenses that allow what is done with the packages: with their text, in a program of another license. */
const fine = /^(?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|CC-BY-4\.0|\(MPL-2\.0 OR Apache-2\.0\))$/u;

/** A version is not to be taken up in its first days, in which a stolen account is noticed. */
const LEAST_DAYS = 7;

const DAY_MS = 86_400_000;

describe('the packages that ship', () => {
  const shipped = async () => sectionsOf(await readFile(notices, 'utf8'));
  const seen = async () => audited.parse(JSON.parse(await readFile('scripts/audited.json', 'utf8')));

  it('are those that were looked at: run `npm run audit` after a change', async () => {
    const { packages } = await seen();
    assert.deepEqual(
      (await shipped()).map(({ name, version, license }) => [`${name} ${version}`, license]).sort(),
      Object.entries(packages)
        .map(([key, { license }]) => [key, license])
        .sort(),
    );
  });

  it('are those that package-lock.json has', async () => {
    const lock = z
      .object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
      .parse(JSON.parse(await readFile('package-lock.json', 'utf8')));
    const locked = new Set(
      Object.entries(lock.packages).map(
        ([folder, { version = '' }]) => `${folder.replace(/^.*node_modules\//u, '')} ${version}`,
      ),
    );
    for (const { name, version } of await shipped()) assert.ok(locked.has(`${name} ${version}`), name);
  });

  it('come with the text of their license, which is one that may ship', async () => {
    assert.match(
      await readFile(notices, 'utf8'),
      /Apache License\s+Version 2\.0[\s\S]+END OF TERMS AND CONDITIONS/u,
    );
    for (const { name, license, text } of await shipped()) {
      assert.match(license, fine, name);
      if (license !== 'Apache-2.0') assert.match(text, /(?:Copyright|Attribution)[\s\S]{300}/u, name);
    }
  });

  it('and their licenses are in the package', async () => {
    assert.ok((await readFile('.vscodeignore', 'utf8')).split('\n').includes(`!${notices}`));
  });

  it('have nothing known against them that was not judged', async () => {
    const { advisories, accepted } = await seen();
    const names = new Set((await shipped()).map(({ name }) => name));
    const against = (advisories ?? []).filter(
      ({ name, url }) => names.has(name) && accepted[url] === undefined,
    );
    assert.deepEqual(against, []);
  });

  it('were not new when they were looked at', async () => {
    const { renewed, packages } = await seen();
    const dates = Object.entries(packages).flatMap(([key, { published }]) =>
      published ? [{ key, published }] : [],
    );
    for (const { key, published } of dates) {
      const days = (Date.parse(renewed ?? '') - Date.parse(published)) / DAY_MS;
      assert.ok(days >= LEAST_DAYS, `${key} was ${days} days old`);
    }
    figure(
      'packages that ship',
      `${Object.keys(packages).length}, the dates of ${dates.length} known, advisories ${renewed ? `of ${renewed}` : 'never asked for'}`,
    );
  });
});
