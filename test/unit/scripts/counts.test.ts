import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const NOUNS =
  /\{0\} (?:\w+ ){0,2}?(branches|chats|checkpoints|edits|files|folders|hits|lines|matches|messages|questions|steps|tasks|todos|tools)\b/;

/** One of these is called by its name, or there are never as few. */
const NEVER_ONE = [
  'Archived {0} branches',
  'Ask {0} questions',
  'Created {0} files',
  'Deleted {0} files',
  'Edited {0} files',
  'Explore {0} tasks',
  'It took {0} steps and waits for you. Continue, or ask something else.',
  'Models take at most {0} tools of others.',
  'The best {0} messages',
  'This model takes at most {0} tools.',
  '{0} cannot use tools, and answered without them.',
  '{0} chats are in the shared store now.',
  '{0} chats are in “{1}” now.',
  '{0} chats were begun with no folder open. Move them to this project?',
  '{0} of files are gone with it.',
  '{0} plan steps',
  '{0} questions are waiting for the user already. Wait for their answers.',
  '{0} todos',
  '{0} tools have this name.',
];

const singular = (noun: string): string => noun.replace(/(?<=ch)es$|s$/, '');

describe('what is counted in a text', () => {
  it('is said in the singular where there is one of it', async () => {
    const bundle = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(await readFile('l10n/bundle.l10n.json', 'utf8')));
    const texts = Object.keys(bundle);
    const counted = texts.filter((text) => NOUNS.test(text));
    assert.ok(counted.length > 30, `${counted.length}`);
    /** Whether one begins and goes on like the other up to the noun, however the verb follows it. */
    const hasOne = (text: string): boolean =>
      ['1', 'one'].some((one) => {
        const [phrase = '', noun = ''] = NOUNS.exec(text) ?? [];
        const until = text.slice(0, text.indexOf(phrase) + phrase.length);
        const beginning = until.replace('{0}', one).replace(new RegExp(`${noun}$`), singular(noun));
        const next = text.charAt(until.length);
        return texts.some(
          (each) =>
            each.toLowerCase().startsWith(beginning.toLowerCase()) && each.charAt(beginning.length) === next,
        );
      });
    assert.deepEqual(
      counted.filter((text) => !hasOne(text)),
      NEVER_ONE,
    );
  });
});
