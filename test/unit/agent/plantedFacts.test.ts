import assert from 'node:assert/strict';
import { receivedMessages } from '../../worlds/toolCalls.ts';
import { plantedKinds, runPlanted } from '../../worlds/plantedFacts.ts';

describe('40 facts of 8 kinds in a conversation that is compacted three times', () => {
  it('are all sent, though the summaries hold nothing of them', async () => {
    const { outcomes, sent, summaryRequests } = await runPlanted({ forgets: true });
    assert.deepEqual(
      outcomes,
      plantedKinds.map((kind) => ({ kind, planted: 5, found: 5 })),
    );
    assert.match(sent, /<\/summary>\n\n<ledger>/);
    for (const request of summaryRequests) {
      const read = receivedMessages(request).join('\n');
      assert.doesNotMatch(read, /<summary|<ledger>/, 'the full text fits, so that it is read again');
    }
  });

  it('are all sent, too, where the summaries hold them', async () => {
    const { outcomes } = await runPlanted({ forgets: false });
    assert.deepEqual(
      outcomes.filter(({ planted, found }) => planted !== found),
      [],
    );
  });
});
