import { config } from 'zod';

// Prevents zod from testing whether it may compile its checks. The page's policy forbids that, and would report each
// test.
config({ jitless: true });
