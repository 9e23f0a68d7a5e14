/** Folders that hold generated or downloaded files, for use without git. */
export const usuallyIgnored: ReadonlySet<string> = new Set([
  ...[
    '.git',
    '.hg',
    '.svn',
    '.jj',
    'node_modules',
    'bower_components',
    'dist',
    'out',
    'build',
    'target',
    'coverage',
  ],
  ...[
    '.venv',
    'venv',
    '__pycache__',
    '.tox',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
    '.cache',
    '.next',
    '.nuxt',
  ],
  ...['.svelte-kit', '.turbo', '.gradle', '.terraform', '.vscode-test', 'Pods', 'DerivedData'],
]);
