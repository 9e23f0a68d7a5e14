import { readFile } from 'node:fs/promises';

// Plugins that leave out of packages what nothing here asks for.

/**
 * KaTeX names each font in three formats for browsers of all ages; VS Code's needs the smallest alone.
 * @type {import('esbuild').Plugin}
 */
export const newestFontsOnly = {
  name: 'newest-fonts-only',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /katex\.css$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')).replaceAll(
        /,\s*url\([^)]*\.(?:woff|ttf)\) format\([^)]*\)/g,
        '',
      ),
      loader: 'css',
    })),
};

/**
 * zod brings what it says in fifty languages, more than all of the rest of it; here it says it in English.
 * @type {import('esbuild').Plugin}
 */
export const oneLanguage = {
  name: 'one-language',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};

/**
 * zod can make a schema of a JSON Schema, and nothing here asks for that; what is here only because all of zod has one
 * name need not be loaded.
 * @type {import('esbuild').Plugin}
 */
export const noSchemasFromJson = {
  name: 'no-schemas-from-json',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/ }, () => ({
      contents: "export function fromJSONSchema() { throw new Error('Left out by the build'); }",
    })),
};

/**
 * The AI SDK brings how programs at Vercel prove who they are to its gateway; nothing here asks that gateway.
 * @type {import('esbuild').Plugin}
 */
export const noGatewayTokens = {
  name: 'no-gateway-tokens',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /@vercel[\\/]oidc[\\/]dist[\\/]index\.js$/ }, () => ({
      contents: [
        "const leftOut = () => { throw new Error('Left out by the build'); };",
        'export { leftOut as getContext, leftOut as getVercelOidcToken };',
      ].join('\n'),
    })),
};

/**
 * A browser reaches no database: what speaks to one is not there, and `openShared` does not ask for it.
 * @type {import('esbuild').Plugin}
 */
export const noSharedStore = {
  name: 'no-shared-store',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /src[\\/]store[\\/]postgres[\\/]postgresContextStore\.ts$/ }, () => ({
      contents:
        "export class PostgresContextStore { constructor() { throw new Error('Left out by the build'); } }",
    })),
};

/**
 * A browser has no tools of a cloud that sign in: what asks its models is not there, and nothing asks for it.
 * @type {import('esbuild').Plugin}
 */
export const noClouds = {
  name: 'no-clouds',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /src[\\/]models[\\/]providers[\\/]cloud[\\/]cloudPackages\.ts$/ }, () => ({
      contents: [
        "const leftOut = () => { throw new Error('Left out by the build'); };",
        'export { leftOut as createAmazonBedrock, leftOut as createGoogleVertex };',
        'export { leftOut as createGoogleVertexAnthropic, leftOut as AwsV4Signer };',
      ].join('\n'),
    })),
};

/**
 * The SDK of MCP brings a validator for what users fill in when a server asks them; ours asks in VS Code instead.
 * @type {import('esbuild').Plugin}
 */
export const noElicitation = {
  name: 'no-elicitation',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    })),
};
