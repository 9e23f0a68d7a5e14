// What is kept out of the bundles, in files of its own next to them, which they load on demand.

export const tokenizer = 'gpt-tokenizer/encoding/o200k_base';

/**
 * The tokenizer weighs more than everything else together and is needed seldom: it is one file of its own, which the
 * bundles share and load when they first count tokens.
 * @param {'cjs' | 'mjs'} ending the worker of a browser can run CommonJS only, and modules of other programs no CommonJS
 * @returns {import('esbuild').Plugin}
 */
export const tokenizerApart = (ending) => ({
  name: 'tokenizer-apart',
  setup: ({ onResolve }) =>
    void onResolve({ filter: new RegExp(`^${tokenizer}$`) }, () => ({
      path: `./tokenizer.${ending}`,
      external: true,
    })),
});

/**
 * The client of PostgreSQL is for those who have a shared store: one file of its own, loaded when one is opened.
 * @type {import('esbuild').Plugin}
 */
export const postgresClientApart = {
  name: 'postgres-client-apart',
  setup: ({ onResolve }) => void onResolve({ filter: /^pg$/ }, () => ({ path: './pg.mjs', external: true })),
};
