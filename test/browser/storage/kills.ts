// The page of `npm run bench:web -- kills`.
import { killWindows, type KillResults } from './killWindows.ts';

declare global {
  interface Window {
    kills(count: number): Promise<KillResults>;
  }
}

window.kills = killWindows;
