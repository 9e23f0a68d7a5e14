import assert from 'node:assert/strict';
import fc from 'fast-check';
import { protectionOf, isSecretName, type ProtectionReason } from '../../../src/host/protectedFiles.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const examples: Readonly<Record<ProtectionReason, readonly string[]>> = {
  'instructs-agents': [
    'AGENTS.md',
    'packages/a/AGENTS.md',
    'CLAUDE.md',
    'GEMINI.md',
    '.cursorrules',
    '.cursor/rules/x.mdc',
    '.github/copilot-instructions.md',
    '.github/instructions/a.instructions.md',
    'docs/review.prompt.md',
    'x.agent.md',
    'x.chatmode.md',
    'skills/deploy/SKILL.md',
    '.claude/settings.json',
    '.codex/config.toml',
    '.offshoot/x',
    '.windsurfrules',
    '.clinerules',
    '.roo/rules.md',
    '.mcp.json',
    '.cursor/mcp.json',
  ],
  'runs-programs': [
    '.husky/pre-commit',
    '.githooks/pre-push',
    'lefthook.yml',
    '.pre-commit-config.yaml',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    'pnpm-workspace.yaml',
    'package.json',
    'sub/package.json',
    'package-lock.json',
    '.envrc',
    'mise.toml',
    '.tool-versions',
    '.github/workflows/ci.yml',
    '.github/actions/a/action.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'azure-pipelines.yml',
    'Jenkinsfile',
    'vite.config.ts',
    'eslint.config.mjs',
    '.eslintrc.cjs',
    '.oxlintrc.json',
    '.babelrc',
    '.prettierrc.json',
    'Makefile',
    'src/Makefile',
    'GNUmakefile',
    'rules.mk',
    'justfile',
    'Taskfile.yml',
    'CMakeLists.txt',
    'build.gradle.kts',
    'settings.gradle',
    'gradlew',
    'pom.xml',
    'build.rs',
    '.cargo/config.toml',
    'Cargo.toml',
    'setup.py',
    'conftest.py',
    'tests/conftest.py',
    'pyproject.toml',
    'tox.ini',
    'noxfile.py',
    'sitecustomize.py',
    'lib/a.pth',
    'Gemfile',
    'Rakefile',
    'x.gemspec',
    'composer.json',
    'Dockerfile',
    'Dockerfile.dev',
    'docker-compose.yml',
    'compose.yaml',
    'tsconfig.json',
    'tsconfig.build.json',
    '.bashrc',
    '.profile',
    '.zshrc',
    'crontab',
    'x.service',
    'x.desktop',
    'autorun.inf',
    'Microsoft.PowerShell_profile.ps1',
  ],
  credentials: [
    '.ssh/authorized_keys',
    '.gnupg/gpg.conf',
    '.aws/config',
    '.kube/config',
    '.netrc',
    '.npmrc',
    '.env',
  ],
  'editor-settings': [
    '.vscode/tasks.json',
    'team.code-workspace',
    '.idea/workspace.xml',
    '.vs/launch.vs.json',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
  ],
  repository: [
    '.git/config',
    '.gitattributes',
    'sub/.gitattributes',
    '.gitmodules',
    '.gitconfig',
    '.hg/hgrc',
  ],
};

const ordinary = [
  'src/a.ts',
  'src/hooks/useX.ts',
  'config/routes.rb',
  'src/config/index.ts',
  'src/build/x.ts',
  'src/files/restorer.ts',
  'README.md',
  '.gitignore',
  'docs/agents.txt',
  'git/config.md',
  'src/vscode.ts',
  'data.json',
  'style.css',
  'src/makefile.ts',
  'lib/package.ts',
  'bin/tool.js',
  'src/service.ts',
  'tests/test_a.py',
  'src/environment.ts',
  'src/mise/index.ts',
  'public/index.html',
];

/** Ways in which some file system takes one name for another. */
const disguises: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replace(/[a-z]/u, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  (name) => `${name.slice(0, 1)}\u200c${name.slice(1)}`,
  (name) => `${name}\u2060`,
  (name) => `${name}.`,
  (name) => `${name} `,
];

describe('files a change of which is asked for each time', () => {
  for (const [reason, paths] of Object.entries(examples)) {
    it(`are known with the reason: ${reason}`, () => {
      for (const path of paths) assert.equal(protectionOf(path), reason, path);
    });
  }

  it('are known by the short names of Windows', () => {
    assert.equal(protectionOf('VSCODE~1/tasks.json'), 'editor-settings');
    assert.equal(protectionOf('PACKAG~1.JSO'), 'runs-programs');
    assert.equal(protectionOf('GIT~1/config'), 'repository');
    assert.equal(protectionOf('GITHUB~1/WORKFL~1/ci.yml'), 'runs-programs');
  });

  it('are not those of everyday work', () => {
    for (const path of ordinary) assert.equal(protectionOf(path), undefined, path);
  });

  it('are known in every disguise (fuzz)', () => {
    const known = Object.values(examples).flat();
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.array(fc.constantFrom(...disguises), { maxLength: 3 }),
        fc.array(fc.constantFrom('src', 'a b', '.hidden', 'ö'), { maxLength: 3 }),
        (path, worn, folders) => {
          const disguised = path.split('/').map((part) => worn.reduce((name, wear) => wear(name), part));
          assert.equal(protectionOf([...folders, ...disguised].join('/')), protectionOf(path), path);
        },
      ),
      { numRuns: fuzzRuns(500) },
    );
  });
});

describe('a name as files have that hold secrets', () => {
  it('is known', () => {
    for (const path of [
      '.env',
      'sub/.env.local',
      '.env.production',
      'prod.env',
      '.npmrc',
      '.pypirc',
      '.netrc',
      'keys/id_rsa',
      'id_ed25519',
      'server.pem',
      'tls.key',
      'a.p12',
      'a.pfx',
      'a.keystore',
      'a.jks',
      'credentials',
      '.aws/credentials',
      '.aws/config',
      'config/secrets.yml',
      'secrets.json',
      'prod.tfvars',
      'terraform.tfstate',
      'terraform.tfstate.backup',
      '.dockercfg',
      '.docker/config.json',
      '.git-credentials',
      '.htpasswd',
      'service-account-prod.json',
      'kubeconfig',
      '.ENV',
      '.e\u200bnv',
      '.ssh/config',
    ]) {
      assert.equal(isSecretName(path), true, path);
    }
  });

  it('is not that of a sample, of a public key, or of code about them', () => {
    for (const path of [
      '.env.example',
      '.env.sample',
      '.env.template',
      '.env.local.example',
      'id_rsa.pub',
      'src/secrets.ts',
      'src/credentials.py',
      'docs/secrets.md',
      'src/key.ts',
      'keys.json',
      'environment.ts',
      'src/a.ts',
    ]) {
      assert.equal(isSecretName(path), false, path);
    }
  });
});
