import path from 'node:path';
import { root } from '../host/paths.mjs';

/**
 * TypeScript's native compiler, which takes a fifth of the time. `typescript` itself is the version whose API ESLint's
 * parser, TypeDoc and the build use; the native one has none yet.
 */
export const nativeCompiler = path.join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

/** Every project whose types are checked, by the name it is told by. */
export const typedProjects = {
  'types of the scripts': path.join('scripts', 'tsconfig.json'),
  types: 'tsconfig.json',
  'types of the pages': path.join('src', 'webview', 'tsconfig.json'),
  'types in a browser': path.join('test', 'browser', 'tsconfig.json'),
  'types of the engine': path.join('src', 'engine', 'tsconfig.json'),
};
