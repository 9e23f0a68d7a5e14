import { config } from 'zod';

// zod tries whether it may compile its checks. The page's policy forbids that, and would report each try.
config({ jitless: true });
