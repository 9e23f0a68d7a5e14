// What is left of 40 facts of 8 kinds after three compactions, each kind with its limit.
//   npm run bench:compaction
import { receivedMessages } from '../test/worlds/toolCalls.ts';
import { runPlanted, type PlantedRun } from '../test/worlds/plantedFacts.ts';

/** The least share that has to be in the request. */
const LIMITS = [
  ['a summarizer that forgets everything', true, 0.95],
  ['a summarizer that keeps everything', false, 1],
] as const;

function share(outcomes: PlantedRun['outcomes']): number {
  const sum = (of: 'planted' | 'found'): number => outcomes.reduce((total, each) => total + each[of], 0);
  return sum('found') / sum('planted');
}

for (const [what, forgets, least] of LIMITS) {
  const { outcomes, summaryRequests } = await runPlanted({ forgets });
  for (const { kind, planted, found } of outcomes) console.log(`        ${kind}: ${found} of ${planted}`);
  const found = share(outcomes);
  const ofSummaries = summaryRequests.filter((request) =>
    /<summary/u.test(receivedMessages(request).join('\n')),
  );
  console.log(
    `        ${summaryRequests.length} compactions, ${ofSummaries.length} of which summarize a summary (none may)`,
  );
  if (found < least || ofSummaries.length > 0) process.exitCode = 1;
  console.log(
    `${found < least ? 'MISSED ' : 'ok     '} ${what}: ${(found * 100).toFixed(1)} % (at least ${least * 100} %)`,
  );
}
