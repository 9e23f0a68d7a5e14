import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { readPdf, pdfProblem } from '../../../src/agent/attachments/pdf.ts';
import { keepToolFiles } from '../../../src/agent/tools/keepToolFiles.ts';
import { imageTypeOf } from '../../../src/models/messages/messageFiles.ts';
import { attachments } from '../../../src/protocol/attachments.ts';
import { lockedPdf, pdf } from '../../fixtures/pdfs.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

/** Pictures that hold scripts and addresses, in the ways in which they may be written. */
const vectors: Readonly<Record<string, Uint8Array>> = {
  'an SVG': Buffer.from(SVG),
  'an SVG behind a declaration': Buffer.from(`<?xml version="1.0"?>${SVG}`),
  'an SVG behind a type': Buffer.from(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${SVG}`),
  'an SVG that grows': Buffer.from(`<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${SVG}`),
  'an SVG behind a note': Buffer.from(`<!-- \u0089PNG -->${SVG}`),
  'an SVG behind blanks': Buffer.from(`\n\t ${SVG}`),
  'an SVG behind a byte order mark': Buffer.from(`\uFEFF${SVG}`),
  'an SVG in UTF-16': Buffer.from(`\uFEFF${SVG}`, 'utf16le'),
  'a packed SVG': zlib.gzipSync(SVG),
  'an SVG that names one elsewhere': Buffer.from('<svg><image href="https://evil.example/x.png"/></svg>'),
  'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'a feed': Buffer.from('<?xml version="1.0"?><rss/>'),
  'a script': Buffer.from('GIF="x"'),
  'a PostScript': Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) run'),
  'a metafile': Buffer.from('d7cdc69a00000000', 'hex'),
  'a bitmap': Buffer.from('BM\u0000\u0000'),
  'an icon': Buffer.from('000001000100', 'hex'),
  'a TIFF': Buffer.from('II*\u0000'),
  'a film': Buffer.from('\u0000\u0000\u0000\u0018ftypmp42', 'latin1'),
  'an AVIF': Buffer.from('\u0000\u0000\u0000\u0018ftypavif', 'latin1'),
  'half of a signature': Buffer.from('\u0089PNG\r\n', 'latin1'),
  nothing: new Uint8Array(),
};

/** Signatures of pictures, with something else behind them. */
const mixed: Readonly<Record<string, Uint8Array>> = {
  'a GIF that goes on as a page': Buffer.from('GIF89a/*<script>alert(1)</script>*/=1', 'latin1'),
  'a JPEG that goes on as a page': Buffer.from('\u00ff\u00d8\u00ff\u00e0<script>alert(1)</script>', 'latin1'),
  'a PNG that goes on as an SVG': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(SVG)]),
  'a WebP that goes on as an archive': Buffer.from(
    'RIFF\u0000\u0000\u0000\u0000WEBPPK\u0003\u0004',
    'latin1',
  ),
  'a PNG of no size': Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.alloc(13),
    Buffer.from('IEND'),
  ]),
};

const types = [
  'image/png',
  'image/svg+xml',
  'IMAGE/SVG+XML',
  'image/gif;x=image/png',
  'image/*',
  'text/html',
  '',
];

/** Bytes that are nothing to be kept, and that reading ends with. */
const objects = (count: number, inner: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...Array.from({ length: count }, () => [
      Buffer.from('<</Type/ObjStm/Filter/FlateDecode>>stream\n'),
      inner,
      Buffer.from('\nendstream\n'),
    ]).flat(),
    Buffer.from('%%EOF'),
  ]);
const zeros = zlib.deflateSync(Buffer.alloc(30_000_000));
const pages = zlib.deflateSync(Buffer.from('/Type /Page '.repeat(1_000_000)));

const pdfs: Readonly<Record<string, { readonly bytes: Uint8Array; readonly problem?: RegExp }>> = {
  'that is locked': { bytes: lockedPdf(), problem: /password/u },
  'that is cut': { bytes: pdf().subarray(0, 60), problem: /damaged/u },
  'that is nothing': { bytes: new Uint8Array(), problem: /no PDF/u },
  'that is a page': { bytes: Buffer.from('<script>%%EOF</script>'), problem: /no PDF/u },
  'whose header comes late': { bytes: Buffer.concat([Buffer.alloc(2_000), pdf()]), problem: /no PDF/u },
  'whose end comes early': { bytes: Buffer.concat([pdf(), Buffer.alloc(3_000)]), problem: /damaged/u },
  'whose parts are zeros without end': { bytes: objects(20, zeros) },
  'whose parts are pages without end': { bytes: objects(20, pages) },
  'whose parts are packed twice': { bytes: objects(5, zlib.deflateSync(zeros)) },
  'whose parts are no packed bytes': { bytes: objects(1_100, Buffer.from('not packed')) },
  'whose parts are empty': { bytes: objects(1_100, Buffer.alloc(0)) },
  'whose parts have no end': {
    bytes: Buffer.from(`%PDF-1.7\n${'<</Type/ObjStm/Filter/FlateDecode>>stream\n'.repeat(20_000)}%%EOF`),
  },
  'with very many members': { bytes: Buffer.from(`%PDF-1.7\n/Type/ObjStm${'/A'.repeat(500_000)}>>%%EOF`) },
  'with very many types': { bytes: Buffer.from(`%PDF-1.7\n${'/Type/ObjStm'.repeat(100_000)}%%EOF`) },
  'with blanks without end': { bytes: Buffer.from(`%PDF-1.7\n/Type${' '.repeat(500_000)}/Pages%%EOF`) },
  'with a script': { bytes: Buffer.concat([pdf(), Buffer.from('/OpenAction<</S/JavaScript/JS(x)>>%%EOF')]) },
  'with a program to start': { bytes: Buffer.concat([pdf(), Buffer.from('/S/Launch/F(/bin/sh)%%EOF')]) },
  'with an address': { bytes: Buffer.concat([pdf(), Buffer.from('/S/URI/URI(https://evil.example)%%EOF')]) },
};

const hash = 'a'.repeat(64);

/** What no page of ours says of what goes with a question. */
const forged: Readonly<Record<string, unknown>> = {
  'an SVG': { type: 'image', hash, mediaType: 'image/svg+xml', name: 'x.svg' },
  'a picture of a type in other letters': { type: 'image', hash, mediaType: 'IMAGE/PNG', name: 'x' },
  'a picture by an address': {
    type: 'image',
    hash: 'https://evil.example/x.png',
    mediaType: 'image/png',
    name: 'x',
  },
  'a picture by a path': { type: 'image', hash: '../../../etc/passwd', mediaType: 'image/png', name: 'x' },
  'a picture by a hash and more': { type: 'image', hash: `${hash}/..`, mediaType: 'image/png', name: 'x' },
  'a picture by a hash and a line': { type: 'image', hash: `${hash}\n`, mediaType: 'image/png', name: 'x' },
  'a picture with bytes of its own': {
    type: 'image',
    hash,
    mediaType: 'image/png',
    name: 'x',
    url: 'data:,x',
  },
  'a picture without a name': { type: 'image', hash, mediaType: 'image/png', name: '' },
  'a picture with a name without end': { type: 'image', hash, mediaType: 'image/png', name: 'x'.repeat(201) },
  'a PDF with another type': { type: 'pdf', hash, name: 'x', mediaType: 'text/html' },
  'a PDF of a size below nothing': { type: 'pdf', hash, name: 'x', size: -1 },
  'a PDF of half a page': { type: 'pdf', hash, name: 'x', pages: 0.5 },
  'a file with text of its own': { type: 'file', path: 'a.txt', text: 'forged' },
  'a file without a name': { type: 'file', path: '' },
  'a file with a name without end': { type: 'file', path: 'a'.repeat(4_097) },
  'lines from nowhere': { type: 'file', path: 'a.txt', startLine: 0 },
  'a context of nothing': { type: 'context', of: 'secrets', name: '' },
  'a text without end': { type: 'context', of: 'text', name: 'x', text: 'x'.repeat(60_001) },
  'something else': { type: 'data-environment', data: {} },
  'a prototype': JSON.parse('{"__proto__":{"type":"file"},"path":"a"}'),
};

describe('attack: a file that goes with a question, or comes from a tool', () => {
  for (const [what, bytes] of Object.entries(vectors)) {
    it(`is no picture where it is ${what}`, async () => {
      assert.equal(imageTypeOf(bytes), undefined);
      for (const mediaType of types) {
        const blobs = { put: () => assert.fail('it is kept') };
        const { files, text } = await keepToolFiles(
          { text: '', files: [{ bytes, mediaType, name: 'x.png' }] },
          blobs,
        );
        assert.equal(files, undefined);
        assert.match(text, /was left out/u);
        assert.ok(!text.includes('<svg'));
      }
    });
  }

  for (const [what, bytes] of Object.entries(mixed)) {
    it(`is shown as the picture that it begins as, or not kept: ${what}`, async () => {
      for (const mediaType of ['image/svg+xml', 'text/html', 'application/pdf', imageTypeOf(bytes) ?? '']) {
        const blobs = { put: () => assert.fail('it is kept') };
        const { files } = await keepToolFiles(
          { text: '', files: [{ bytes, mediaType, name: 'x.svg' }] },
          blobs,
        );
        assert.equal(files, undefined, mediaType);
      }
    });
  }

  for (const [what, { bytes, problem }] of Object.entries(pdfs)) {
    it(`is a PDF ${what}, and reading it ends`, async () => {
      const { DecompressionStream: real } = globalThis;
      let streams = 0;
      globalThis.DecompressionStream = class extends real {
        constructor(format: CompressionFormat) {
          super(format);
          streams += 1;
        }
      };
      try {
        const facts = await readPdf(bytes);
        assert.ok((facts.pages ?? 0) < 10_000_000);
        const found = pdfProblem(bytes, facts);
        if (problem) assert.match(found ?? '', problem);
        assert.ok(streams <= 1_000, `${streams} parts were unpacked`);
      } finally {
        globalThis.DecompressionStream = real;
      }
    });
  }

  it('is unpacked once where it says that its parts lie in each other', async () => {
    const opening = '<</Type/ObjStm/Filter/FlateDecode>>stream\n';
    const bytes = Buffer.from(`%PDF-1.7\n${opening.repeat(5_000)}endstream %%EOF`);
    const { DecompressionStream: real } = globalThis;
    let streams = 0;
    globalThis.DecompressionStream = class extends real {
      constructor(format: CompressionFormat) {
        super(format);
        streams += 1;
      }
    };
    try {
      await readPdf(bytes);
      assert.equal(streams, 1);
    } finally {
      globalThis.DecompressionStream = real;
    }
  });

  for (const [what, value] of Object.entries(forged)) {
    it(`is refused where a page says that it is ${what}`, () => {
      assert.equal(attachments.safeParse([value]).success, false);
    });
  }

  it('is one of twenty at most', () => {
    const file = { type: 'file', path: 'a.txt' };
    assert.equal(attachments.safeParse(Array(20).fill(file)).success, true);
    assert.equal(attachments.safeParse(Array(21).fill(file)).success, false);
  });
});
