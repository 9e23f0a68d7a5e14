import { foldedParts, namePattern, type NamePattern } from './fileNames.ts';

/** Why each change of a file requires approval, regardless of earlier permissions. */
export type ProtectionReason =
  /** It determines which programs run: when the project is opened, installed, built, tested or committed. */
  | 'runs-programs'
  /** It instructs agents, also in later chats. */
  | 'instructs-agents'
  /** It controls access, or holds credentials. */
  | 'credentials'
  /** It changes how the editor works, including which programs it runs. */
  | 'editor-settings'
  /** It changes what git does, including which programs it runs. */
  | 'repository';

/**
 * The only list of files that a permission for several changes never covers. A file belongs here if merely changing
 * it makes a program run, an agent obey, or a person get access, without another review. Source code of the project
 * does not, or nothing could be allowed; lock files do, since they determine where code that runs on installation
 * comes from.
 *
 * A name stands for a file of that name, a name that ends with `/` for everything in such a folder, and `*` for any
 * part of a name. All are in lower case.
 */
const lists: readonly (readonly [ProtectionReason, ...string[]])[] = [
  ['repository', '.git/ .gitattributes .gitmodules .gitconfig .lfsconfig .hg/ .hgrc .svn/ .jj/'],
  [
    'instructs-agents',
    'agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md warp.md crush.md skill.md .rules',
    '*.instructions.md *.prompt.md *.agent.md *.chatmode.md copilot-instructions.md .github/instructions/ .github/prompts/',
    '.github/agents/ .github/chatmodes/ .github/skills/ .github/hooks/ .agents/ .agent/ .claude/ .codex/ .copilot/ .gemini/ .qwen/',
    '.offshoot/ .cursor/ .cursorrules .windsurf/ .windsurf* .clinerules .clinerules/ .roo/ .roo* .kilocode/ .kilocode*',
    '.continue/ .continuerules .aider* .goosehints .amazonq/ .kiro/ .trae/ .junie/ .augment/ .augment* .opencode/',
    'opencode.json opencode.jsonc .mcp.json mcp.json .mcp/ mcp_config.json',
  ],
  [
    'credentials',
    '.ssh/ .gnupg/ .aws/ .azure/ .kube/ .gcloud/ .docker/ .netrc _netrc .pgpass .my.cnf .git-credentials .pypirc .npmrc',
    '.dockercfg .htpasswd .htaccess authorized_keys known_hosts id_rsa* id_dsa* id_ecdsa* id_ed25519* .env .env.* .env-*',
    '*.env .vault-token .terraformrc .s3cfg .boto kubeconfig sudoers sudoers.d/',
  ],
  [
    'editor-settings',
    '.vscode/ *.code-workspace *.code-profile .devcontainer/ .devcontainer.json devcontainer.json .idea/ *.iml .vs/ .fleet/',
    '.zed/ .nova/ *.sublime-project .vimrc .nvimrc .exrc .nvim.lua .emacs .emacs.d/ .dir-locals.el .settings/ .project',
  ],
  [
    'runs-programs',
    // Hooks and CI.
    '.husky/ .githooks/ .git-hooks/ lefthook.* .lefthook* lefthook-local.* .pre-commit-config.y*ml .overcommit.yml',
    '.lintstagedrc* .simple-git-hooks.* .github/workflows/ .github/actions/ .github/dependabot.y*ml action.y*ml',
    '.gitlab-ci.y*ml .gitlab/ .circleci/ .travis.yml .drone.yml .buildkite/ .woodpecker/ .woodpecker* .cirrus.yml',
    '.appveyor.yml appveyor.yml azure-pipelines* .azure-pipelines/ bitbucket-pipelines.yml jenkinsfile* .forgejo/ .gitea/',
    '.semaphore/ buildspec.y*ml cloudbuild.y*ml codemagic.yaml .gitpod.* .replit .idx/ netlify.toml vercel.json fly.toml',
    'firebase.json procfile* skaffold.yaml tiltfile renovate.json* .renovaterc*',
    // JavaScript.
    'package.json package.json5 package.yaml package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock',
    'bun.lockb deno.lock deno.json deno.jsonc import_map.json .yarnrc* .yarn/ .pnpmfile.* .pnp.* pnpm-workspace.yaml',
    'bunfig.toml .nvmrc .node-version lerna.json nx.json turbo.json rush.json project.json angular.json nodemon.json',
    '*.config.js *.config.cjs *.config.mjs *.config.jsx *.config.ts *.config.cts *.config.mts *.config.tsx *.conf.js',
    '*.conf.cjs *.conf.mjs *.conf.ts .*rc.js .*rc.cjs .*rc.mjs .*rc.ts .*rc.cts .*rc.mts .eslintrc* .oxlintrc* .prettierrc*',
    '.stylelintrc* .babelrc* .swcrc .postcssrc* .parcelrc* .mocharc* .nycrc* .c8rc* .releaserc* .commitlintrc*',
    '.remarkrc* .markdownlint-cli2.* biome.json biome.jsonc tsconfig*.json jsconfig*.json gulpfile* gruntfile* jakefile*',
    // Build tools and task runners.
    'makefile gnumakefile bsdmakefile makefile.am makefile.in makefile.toml *.mk *.mak justfile .justfile *.just taskfile.y*ml taskfile.*.y*ml',
    'cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json meson.build configure configure.ac *.ninja sconstruct',
    'sconscript build build.bazel workspace workspace.bazel module.bazel .bazelrc *.bzl .buckconfig earthfile magefile.go',
    'build.zig build.zig.zon build.xml *.gradle *.gradle.kts gradlew gradlew.bat gradle.properties gradle-wrapper.*',
    'libs.versions.toml mvnw mvnw.cmd .mvn/ pom.xml *.sbt build.sc build.mill build.rs .cargo/ cargo.toml cargo.lock',
    'rust-toolchain rust-toolchain.toml go.mod go.sum go.work *.csproj *.fsproj *.vbproj *.vcxproj *.props *.targets *.sln',
    '*.slnx nuget.config global.json packages.lock.json mix.exs mix.lock rebar.config rebar.lock .formatter.exs .iex.exs',
    'dub.json dub.sdl shard.yml project.clj deps.edn bb.edn stack.yaml cabal.project* *.cabal dune-project *.opam',
    'package.swift package.resolved podfile* cartfile* fastlane/ pubspec.yaml pubspec.lock *.nimble *.rockspec cpanfile',
    // Python, Ruby and PHP.
    'setup.py setup.cfg conftest.py pyproject.toml tox.ini pytest.ini noxfile.py fabfile.py dodo.py sitecustomize.py',
    'usercustomize.py *.pth requirements*.txt constraints*.txt pipfile* poetry.lock poetry.toml uv.lock uv.toml pdm.lock',
    'pixi.toml pixi.lock environment.y*ml .condarc pip.conf pip.ini .python-version .pylintrc .flake8 mypy.ini .mypy.ini',
    '.pdbrc .ipython/ gemfile* rakefile* *.rake *.gemspec gems.rb gems.locked .rspec .pryrc .irbrc .rubocop.yml',
    '.ruby-version guardfile capfile dangerfile* vagrantfile brewfile* composer.json composer.lock phpunit.xml* .user.ini',
    'php.ini',
    // Environments, containers and machines.
    '.envrc .direnv/ mise.toml mise.*.toml .mise* .mise/ .tool-versions .asdfrc devbox.json devenv.* flake.nix flake.lock',
    'shell.nix default.nix .sdkmanrc .jvmopts .java-version dockerfile* *.dockerfile containerfile* docker-compose*',
    'compose.y*ml compose.*.y*ml docker-bake.* ansible.cfg *.service *.timer *.socket systemd/ *.plist launchagents/',
    'launchdaemons/ crontab cron.d/ *.cron *.desktop autostart/ autorun.inf desktop.ini *.reg',
    // Shells, and other programs with startup command files.
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc .zshenv .zprofile',
    '.zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xinitrc .xprofile .xsession* .tmux.conf .screenrc',
    '.gdbinit .lldbinit .wgetrc .curlrc _curlrc .psqlrc .sqliterc .rprofile .renviron .ghci .config/ config.fish',
    'fish_variables profile.ps1 *_profile.ps1 *.psm1 *.psd1',
  ],
];

const patterns = lists.flatMap(([reason, ...lines]) =>
  lines
    .flatMap((line) => line.split(' '))
    .map((pattern): readonly [ProtectionReason, NamePattern] => [reason, namePattern(pattern)]),
);

/** Undefined when a change requires no approval. @param path with `/` between its parts */
export function protectionOf(path: string): ProtectionReason | undefined {
  const parts = foldedParts(path);
  return patterns.find(([, matches]) => matches(parts))?.[0];
}

/** Names of files that hold passwords, keys and the like; in the format of the protected files. */
const secret = [
  '.env .env.* .env-* *.env .envrc .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .git-credentials',
  '.htpasswd .dockercfg .docker/config.json .vault-token .terraformrc .s3cfg .boto id_rsa* id_dsa* id_ecdsa* id_ed25519*',
  '*.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.keystore *.kdb *.kdbx *.asc *.gpg *.agekey *.ovpn .ssh/ .gnupg/ .aws/ .azure/',
  '.gcloud/ .kube/ kubeconfig kubeconfig.* *.kubeconfig credentials credentials.* *.credentials secret secret.* secrets',
  'secrets.* secrets/ .secrets .secrets/ *.secrets *.tfvars *.tfvars.json *.tfstate *.tfstate.* service-account*.json',
  'service_account*.json serviceaccount*.json *-credentials.json *_credentials.json google-services.json auth.json',
  'client_secret*.json .authinfo .authinfo.gpg .pgpass wp-config.php .rclone.conf rclone.conf master.key',
].flatMap((line) => line.split(' ').map(namePattern));

/** Similar names of files that are made to be shared. */
const harmless = [
  '.env.example .env.sample .env.template .env.dist .env.defaults .env.*.example .env.*.sample .env.*.template *.pub',
  'example.env sample.env template.env *.example.env *.sample.env',
].flatMap((line) => line.split(' ').map(namePattern));

/** Source code that handles secrets has similar names. */
const code =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|cs|swift|php|c|cc|cpp|h|hpp|md|mdx|html|css|scss|vue|svelte)$/u;

/** Such files are not read without asking. @param path with `/` between its parts */
export function isSecretName(path: string): boolean {
  const parts = foldedParts(path);
  const name = parts.at(-1) ?? '';
  if (harmless.some((matches) => matches(parts))) return false;
  if (code.test(name) && name !== 'wp-config.php' && !name.startsWith('.env')) return false;
  return secret.some((matches) => matches(parts));
}
