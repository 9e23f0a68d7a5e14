import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeptFiles, pdfFacts, pdfPart, isPdf } from '../../../src/models/messages/messageFiles.ts';
import { pdfProblem, readPdf } from '../../../src/agent/attachments/pdf.ts';
import { modelMessages } from '../../../src/agent/context/modelMessages.ts';
import { fitFiles } from '../../../src/models/requests/fileParts.ts';
import type { TalkMessage } from '../../../src/models/requests/prompt.ts';
import { pdfLimitsOf, targetOf } from '../../../src/models/modelProviders.ts';
import { compressedPdf, lockedPdf, pdf } from '../../fixtures/pdfs.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

describe('a PDF', () => {
  it('has its pages counted, also where they stand in compressed parts', async () => {
    assert.deepEqual(await readPdf(pdf(7)), { isEncrypted: false, pages: 7 });
    assert.deepEqual(await readPdf(compressedPdf(12)), { isEncrypted: false, pages: 12 });
    assert.deepEqual(await readPdf(Buffer.from('%PDF-1.4 %%EOF')), { isEncrypted: false });
  });

  it('is refused where it is damaged, locked, or none', async () => {
    const problemOf = async (bytes: Uint8Array) => pdfProblem(bytes, await readPdf(bytes));
    assert.equal(await problemOf(pdf()), undefined);
    assert.equal(await problemOf(lockedPdf()), 'it is protected by a password');
    assert.equal(await problemOf(pdf().subarray(0, 60)), 'it is damaged');
    assert.equal(await problemOf(Buffer.from('PK')), 'its bytes are no PDF');
    const large = new Uint8Array(20_000_001);
    large.set(pdf());
    large.set(Buffer.from('%%EOF'), large.length - 5);
    assert.match((await problemOf(large)) ?? '', /too large \(20000001 bytes/u);
  });

  it('fuzz: can be any bytes behind its header, and reading it ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const head = '%PDF-1.7 <</Type/ObjStm/Filter/FlateDecode>>stream\r\n';
        const whole = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\nendstream')]);
        assert.ok(isPdf(whole));
        const { pages = 0 } = await readPdf(whole);
        assert.ok(pages >= 0);
      }),
      { numRuns: fuzzRuns(100) },
    );
  });

  it('goes with as much of its facts as its own program wrote down', () => {
    const part = pdfPart({ hash: 'a'.repeat(64), name: 'a.pdf', size: 10, pages: 2 });
    assert.deepEqual(pdfFacts(part.providerMetadata), { size: 10, pages: 2 });
    assert.deepEqual(pdfFacts({ offshoot: { size: -1, pages: 'many' } }), {});
  });
});

describe('PDFs in a request', () => {
  const sent = (modelId: string, pages: readonly number[], length = 8): string[] => {
    const message: TalkMessage = {
      role: 'user',
      content: pages.map((count) => ({
        type: 'file',
        mediaType: 'application/pdf',
        filename: `${count}.pdf`,
        data: { type: 'data', data: 'A'.repeat(length) },
        providerOptions: { offshoot: { pages: count } },
      })),
    };
    const [fitted] = fitFiles([message], targetOf({ id: modelId }));
    assert.ok(fitted?.role === 'user');
    return fitted.content.map((part) => (part.type === 'text' ? part.text : 'sent'));
  };

  it('are the newest, as far as the provider reads so many pages and bytes', () => {
    const left = (count: number) =>
      `[A PDF, “${count}.pdf”, was left out: this model reads at most 100 pages in one request.]`;
    assert.deepEqual(sent('anthropic:claude-opus-5-5', [30, 60, 40]), [left(30), 'sent', 'sent']);
    assert.deepEqual(sent('openai:gpt-5.6-sol', [300, 600]), ['sent', 'sent']);
    const huge = sent('google:gemini-3.8-flash', [1, 2, 3], 8_000_000);
    assert.deepEqual(huge.slice(1), ['sent', 'sent']);
    assert.match(huge[0] ?? '', /was left out: it is too large/u);
  });

  it('are named to models that read none', () => {
    for (const id of [
      'groq:llama',
      'ollama:qwen',
      'vscode:copilot/gpt',
      'a:b',
      'google:gemma-4',
      'openai:o3-mini',
    ]) {
      assert.deepEqual(
        sent(id, [1]),
        ['[A PDF, “1.pdf”, was left out: this model does not read application/pdf.]'],
        id,
      );
    }
    assert.ok(pdfLimitsOf({ id: 'mine:x', listedAs: 'openrouter/openai/gpt-5' }));
    assert.ok(pdfLimitsOf({ id: 'openai:gpt-4o' }) && pdfLimitsOf({ id: 'openai:gpt-4.1' }));
  });

  it('are told of where they are no longer kept', async () => {
    const files = new KeptFiles({ get: () => Promise.resolve(undefined) });
    const parts = [pdfPart({ hash: 'a'.repeat(64), name: 'a.pdf', size: 1 })];
    const [message] = modelMessages(await files.fill([{ id: 'q', role: 'user', parts }]));
    assert.deepEqual(message?.content, [{ type: 'text', text: '[The PDF “a.pdf” is no longer kept.]' }]);
  });
});
