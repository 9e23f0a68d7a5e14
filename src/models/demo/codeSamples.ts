function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** Code of the written answers, without words of any language. The first five make up the answer to `code`. */
export const codeSamples = {
  python: fence(
    'python',
    `import re
from collections import Counter

def top_words(text, count=3):
    words = re.findall(r"\\w+", text.lower())
    return Counter(words).most_common(count)

top_words("the cat and the hat")  # [('the', 2), ('cat', 1), ('and', 1)]`,
  ),
  typescript: fence(
    'ts',
    `function debounce<A extends unknown[]>(run: (...args: A) => void, delay: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args: A): void => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), delay);
  };
}

const save = debounce((text: string) => console.log(text), 300);`,
  ),
  rust: fence(
    'rust',
    `use std::{fs, io, num::ParseIntError};

#[derive(Debug)]
enum ConfigError {
    Read(io::Error),
    Parse(ParseIntError),
}

fn port(path: &str) -> Result<u16, ConfigError> {
    let text = fs::read_to_string(path).map_err(ConfigError::Read)?;
    text.trim().parse().map_err(ConfigError::Parse)
}`,
  ),
  go: fence(
    'go',
    `func fetchAll(urls []string) []int {
	codes := make([]int, len(urls))
	var group sync.WaitGroup
	for i, url := range urls {
		group.Add(1)
		go func() {
			defer group.Done()
			if response, err := http.Get(url); err == nil {
				defer response.Body.Close()
				codes[i] = response.StatusCode
			}
		}()
	}
	group.Wait()
	return codes
}`,
  ),
  sql: fence(
    'sql',
    `SELECT customer_id, id, placed_at
FROM (
  SELECT *, ROW_NUMBER() OVER (
    PARTITION BY customer_id ORDER BY placed_at DESC, id DESC
  ) AS newest
  FROM orders
) AS ranked
WHERE newest = 1;`,
  ),
  closure: fence(
    'ts',
    `function createCounter(step = 1): () => number {
  let count = 0;
  return () => (count += step);
}

const next = createCounter();
next(); // 1
next(); // 2

const byTen = createCounter(10);
byTen(); // 10`,
  ),
  readline: fence(
    'js',
    `import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const lines = createInterface({ input: createReadStream('big.log'), crlfDelay: Infinity });
for await (const line of lines) {
  handle(line);
}`,
  ),
  chunks: fence(
    'js',
    `let rest = '';
for await (const chunk of createReadStream('big.log', 'utf8')) {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) handle(line);
}
if (rest !== '') handle(rest);`,
  ),
  regex: fence(
    'js',
    `const date = /^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])-(?<day>0[1-9]|[12]\\d|3[01])$/;

'2026-01-31'.match(date).groups.month; // "01"
date.test('2026-13-01'); // false`,
  ),
  test: fence(
    'js',
    `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

const slug = (title) =>
  title.toLowerCase().trim().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');

describe('slug', () => {
  it('joins words by dashes', () => assert.equal(slug('Hello, World'), 'hello-world'));
  it('has none at its ends', () => assert.equal(slug(' What? '), 'what'));
  it('is empty without letters', () => assert.equal(slug('???'), ''));
});`,
  ),
} as const;

/** What `code` answers with. */
export const FIVE_LANGUAGES = ['python', 'typescript', 'rust', 'go', 'sql'] as const;
