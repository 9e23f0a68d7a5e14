import { JSONParseError } from 'ai';

/**
 * The values of a body with one per line, as they arrive. Leaving the loop closes the connection.
 * @throws JSONParseError for an invalid line
 */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    const [first = '', ...lines] = text.split('\n');
    rest.push(first);
    for (const next of lines) {
      const line = rest.join('');
      rest = [next];
      if (line.trim() !== '') yield parsed(line);
    }
  }
  const line = rest.join('') + decoder.decode();
  if (line.trim() !== '') yield parsed(line);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JSONParseError({ text: text.slice(0, 100), cause });
  }
}
