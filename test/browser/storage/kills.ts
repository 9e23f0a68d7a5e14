// The page of `npm run bench:web -- kills`.
import type { KillResults } from '../../fixtures/storage/killTally.ts';
import { killWindows } from './killWindows.ts';

declare global {
  interface Window {
    kills(count: number): Promise<KillResults>;
  }
}

window.kills = killWindows;
