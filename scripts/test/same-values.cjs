// Loaded before the tests: random values are the same in every run, so a run fails only for what was changed.
// `npm run fuzz` is where new ones are tried.
const fc = require('fast-check');

if (!process.env.OFFSHOOT_FUZZ) fc.configureGlobal({ seed: 1 });
