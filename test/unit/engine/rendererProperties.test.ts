import assert from 'node:assert/strict';
import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { parse as parseToml } from 'smol-toml';
import { fragmentSchema, type Fragment, type FragmentData } from '../../../src/engine/fragments/index.ts';
import {
  MarkdownRenderer,
  TomlRenderer,
  ToonRenderer,
  XmlRenderer,
} from '../../../src/engine/renderers/index.ts';
import { allRenderers } from '../../fixtures/allRenderers.ts';

const renderers = allRenderers();

describe('whatever a fragment holds', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    // Any UTF-16 units: control characters, line ends, half surrogates.
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), minLength: 1 }),
  );
  // The XML parser of this test refuses the names that objects and functions of JavaScript have.
  const name = text.filter((each) => !(each in {}) && each !== 'prototype');
  const { data } = fc.letrec<{ data: FragmentData }>((tie) => ({
    data: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      fc.array(tie('data'), { maxLength: 4 }),
      fc.dictionary(name, tie('data'), { maxKeys: 4 }),
    ),
  }));
  const fragments = fc.array(
    fc.tuple(name, data).map(([named, value]): Fragment => ({ name: named, type: 'fragment', data: value })),
    { maxLength: 4 },
  );

  it('is rendered without an error and without [object Object]', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        for (const renderer of renderers) assert.doesNotMatch(renderer.render(all), /\[object Object\]/);
      }),
    );
  });

  it('comes back from TOML, each text of it', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        const texts = textsIn(parseToml(new TomlRenderer().render(all)));
        for (const leaf of all.flatMap(({ data: value }) => textsIn(value)))
          assert.ok(texts.includes(leaf.toWellFormed()));
      }),
    );
  });

  it('comes back from TOON, each text of it', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        const rendered = new ToonRenderer().render(all);
        const texts = rendered === '' ? [] : textsIn(decode(rendered));
        for (const leaf of all.flatMap(({ data: value }) => textsIn(value)))
          assert.ok(texts.includes(leaf.toWellFormed()));
      }),
    );
  });

  it('stands in Markdown, each text and name of it, under a heading', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        const rendered = new MarkdownRenderer().render(all).replaceAll(/\s+/g, '');
        for (const leaf of all.flatMap(({ data: value }) => [...textsIn(value), ...namesIn(value)])) {
          assert.ok(rendered.includes(leaf.toWellFormed().replaceAll(/\s+/g, '')), JSON.stringify(leaf));
        }
      }),
    );
  });

  it('comes back from XML, each text of it', () => {
    const parser = new XMLParser({
      parseTagValue: false,
      trimValues: false,
      processEntities: { enabled: true, maxTotalExpansions: 1_000_000 },
    });
    fc.assert(
      fc.property(fragments, (all) => {
        const document = `<all>\n${new XmlRenderer().render(all)}\n</all>`;
        assert.equal(SyntaxValidator.validate(document), true);
        const texts = textsIn(parser.parse(document)).map((each) => each.replaceAll(/\s+/g, ''));
        for (const leaf of all.flatMap(({ data: value }) => textsIn(value))) {
          assert.ok(texts.includes(printable(leaf).replaceAll(/\s+/g, '')), JSON.stringify(leaf));
        }
      }),
    );
  });

  it('has its names in XML as tags or, where they are no names to XML, as attributes', () => {
    const parser = new XMLParser({
      parseTagValue: false,
      parseAttributeValue: false,
      ignoreAttributes: false,
      processEntities: { enabled: true, maxTotalExpansions: 1_000_000 },
    });
    fc.assert(
      fc.property(fragments, (all) => {
        const parsed: unknown = parser.parse(`<all>\n${new XmlRenderer().render(all)}\n</all>`);
        const found = new Set([...namesIn(parsed), ...textsIn(parsed)].map(comparable));
        for (const named of all.flatMap(({ data: value }) => namesIn(value))) {
          assert.ok(found.has(comparable(named)), JSON.stringify(named));
        }
      }),
      // An element that is called as the attribute of the one around it.
      { examples: [[[{ name: ': ', type: 'fragment', data: { name: { '!': ' ' } } }]]] },
    );

    /** Blanks in names become `_`, and one may stand before them. */
    function comparable(text: string): string {
      return printable(text).replaceAll(/[\s_]/g, '');
    }
  });

  it('is written to JSON and read back', () => {
    fc.assert(
      fc.property(fragments, (all) => {
        for (const each of all) {
          assert.deepEqual(
            fragmentSchema.parse(JSON.parse(JSON.stringify(each))),
            JSON.parse(JSON.stringify(each)),
          );
        }
      }),
    );
  });
});

/** What XML cannot hold is shown as U+FFFD. */
function printable(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}');
}

/** Every text and number in some data, however deep, as text. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Every name in some data, however deep, of what says something. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    ...(Array.isArray(value) || inner === null ? [] : [name]),
    ...namesIn(inner),
  ]);
}
