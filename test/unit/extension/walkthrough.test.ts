import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string() })),
    walkthroughs: z.array(
      z.object({
        steps: z.array(
          z.object({
            id: z.string(),
            description: z.string(),
            media: z.object({ svg: z.string(), altText: z.string() }),
            completionEvents: z.array(z.string()).min(1),
          }),
        ),
      }),
    ),
  }),
});

const themesSchema = z.record(z.string(), z.object({ variables: z.record(z.string(), z.string()) }));

describe('the walkthrough', () => {
  const read = async () => {
    const manifest = manifestSchema.parse(JSON.parse(await readFile('package.json', 'utf8')));
    const texts = z
      .record(z.string(), z.string())
      .parse(JSON.parse(await readFile('package.nls.json', 'utf8')));
    const { commands, walkthroughs } = manifest.contributes;
    return {
      commands: new Set(commands.map(({ command }) => command)),
      steps: walkthroughs.flatMap(({ steps }) => steps),
      texts,
    };
  };

  it('leads to commands that exist, and is ticked off by some that do', async () => {
    const { commands, steps, texts } = await read();
    assert.ok(steps.length > 0);
    const named = [
      ...steps.flatMap(({ description }) => [
        ...(texts[description.replaceAll('%', '')] ?? assert.fail(description)).matchAll(
          /\(command:([\w.]+)\)/g,
        ),
      ]),
      ...Object.entries(texts)
        .filter(([key]) => key.startsWith('welcome.'))
        .flatMap(([, text]) => [...text.matchAll(/\(command:([\w.]+)\)/g)]),
    ].map(([, command = '']) => command);
    const ticking = steps.flatMap(({ completionEvents }) =>
      completionEvents.flatMap((event) => /^onCommand:(.*)$/.exec(event)?.[1] ?? []),
    );
    for (const command of [...named, ...ticking]) assert.ok(commands.has(command), command);
  });

  it('has a small picture for each step, in no colors but those of the theme, and words for it', async () => {
    const { steps, texts } = await read();
    const themes = themesSchema.parse(JSON.parse(await readFile('test/ui/page/harness/themes.json', 'utf8')));
    for (const { media } of steps) {
      assert.ok((texts[media.altText.replaceAll('%', '')] ?? '').length > 20, media.altText);
      const picture = await readFile(media.svg, 'utf8');
      assert.ok(picture.length < 8_000, media.svg);
      const colors = [...picture.matchAll(/\b(?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color);
      assert.ok(colors.length > 0);
      assert.deepEqual(
        colors.filter((color = '') => color !== 'none' && !color.startsWith('var(--vscode-')),
        [],
      );
      for (const [theme, { variables }] of Object.entries(themes)) {
        const ground = variables['--vscode-editor-background'];
        for (const [, used, color = ''] of picture.matchAll(/\b(fill|stroke)="(var[^"]*)"/g)) {
          const names = [...color.matchAll(/--[\w-]+/g)].map(([name]) => name);
          const drawn = names.map((name) => variables[name]).find((value) => value !== undefined);
          assert.ok(drawn !== undefined, `${media.svg}: ${theme} has no ${color}`);
          // What stands on a button has the button's ground.
          if (used === 'stroke' && !color.includes('button-foreground'))
            assert.notEqual(drawn, ground, `${media.svg}: ${color} is not seen in ${theme}`);
        }
      }
      // The page they are shown on forbids styles of their own.
      assert.doesNotMatch(picture, /\bstyle=|<style|<script/);
    }
  });
});
