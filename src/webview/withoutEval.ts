import { config } from 'zod';

// Zod would test whether it may compile its checks; the page's policy forbids that, and reports each test.
config({ jitless: true });
