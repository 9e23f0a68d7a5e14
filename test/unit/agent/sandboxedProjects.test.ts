import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { commandDetailsIn } from '../../../src/agent/tools/commands/commandDetails.ts';
import type { CommandWalls } from '../../../src/agent/tools/commands/commandTools.ts';
import { NodeSandbox } from '../../../src/host/node/walls/nodeSandbox.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { isOnPath, usableBubblewrap } from '../../fixtures/shells.ts';
import { commandWorld } from '../../worlds/commandWorld.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { callsIn, request } from '../../worlds/toolCalls.ts';
import { Person } from '../../worlds/writingWorld.ts';

interface SampleProject {
  /** The programs that it needs, and that not every system has. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** What is done outside beforehand, by the user. */
  readonly before?: (root: string) => void;
  /** What the agent runs, and what the output of each must match. */
  readonly commands: Readonly<Record<string, RegExp>>;
}

const git = (cwd: string, ...options: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...options], { cwd, stdio: 'ignore' });
};

const commit = (root: string): void => {
  git(root, 'init', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-m', 'first');
};

const goProject: SampleProject = {
  needs: ['go'],
  files: {
    'go.mod': 'module example.com/sum\n\ngo 1.18\n',
    'sum.go':
      'package main\n\nimport "fmt"\n\nfunc add(a, b int) int { return a + b }\n\nfunc main() { fmt.Println("sum", add(1, 1)) }\n',
    'sum_test.go':
      'package main\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif add(1, 1) != 2 {\n\t\tt.Fatal("wrong")\n\t}\n\tt.TempDir()\n}\n',
  },
  commands: {
    'go test ./...': /^ok\s/mu,
    'go build -o sum && ./sum': /sum 2/u,
    'go vet ./...': /Exit code 0/u,
  },
};

const projects: Readonly<Record<string, SampleProject>> = {
  npm: {
    needs: ['npm'],
    files: {
      'package.json': JSON.stringify({
        scripts: {
          test: 'node --test',
          build: 'mkdir -p dist && cp sum.js dist/ && node dist/sum.js',
          pretest: 'npm run build',
        },
      }),
      'sum.js': 'console.log("built", 1 + 1);\n',
      'sum.test.js':
        "require('node:test').test('adds', () => require('node:assert').equal(1 + 1, 2));\n" +
        "require('node:test').test('writes', () => require('node:fs').mkdtempSync(require('node:os').tmpdir() + '/x'));\n" +
        "require('node:test').test('starts', () => require('node:child_process').execFileSync('node', ['sum.js']));\n",
    },
    commands: { 'npm test': /pass 3/u, 'npm run build': /built 2/u, 'npm ls': /empty/u },
  },
  pytest: {
    needs: ['pytest'],
    files: {
      'sums/__init__.py': '',
      'sums/add.py': 'def add(a, b):\n    return a + b\n',
      'tests/test_add.py':
        'from sums.add import add\n\n\ndef test_add(tmp_path):\n    (tmp_path / "x").write_text("x")\n    assert add(1, 1) == 2\n',
    },
    commands: { 'PYTHONPATH=. pytest': /1 passed/u, 'PYTHONPATH=. pytest --last-failed -q': /1 passed/u },
  },
  'Python’s own tests': {
    needs: ['python3'],
    files: {
      'test_sum.py':
        'import socket\nimport subprocess\nimport tempfile\nimport unittest\n\n\nclass Sums(unittest.TestCase):\n' +
        '    def test_sum(self):\n        self.assertEqual(1 + 1, 2)\n\n' +
        '    def test_parts(self):\n        with tempfile.TemporaryDirectory() as place:\n' +
        '            subprocess.run(["touch", place + "/x"], check=True)\n' +
        '        with socket.create_server(("127.0.0.1", 0)) as server:\n' +
        '            socket.create_connection(server.getsockname()).close()\n',
    },
    commands: { 'python3 -m unittest': /^OK$/mu, 'python3 -m unittest -v test_sum': /^OK$/mu },
  },
  cargo: {
    needs: ['cargo', 'cc'],
    files: {
      'Cargo.toml':
        '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nadd = { path = "add" }\n',
      'src/main.rs': 'fn main() {\n    println!("sum {}", add::add(1, 1));\n}\n',
      'build.rs': 'fn main() {\n    println!("cargo:rerun-if-changed=build.rs");\n}\n',
      'add/Cargo.toml': '[package]\nname = "add"\nversion = "0.1.0"\nedition = "2021"\n',
      'add/src/lib.rs':
        'pub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n}\n',
    },
    before: (cwd) => void execFileSync('cargo', ['generate-lockfile', '--offline', '-q'], { cwd }),
    commands: {
      'cargo build': /Finished/u,
      'cargo run -q': /sum 2/u,
      'cargo test -p add': /1 passed/u,
      'cargo check': /Finished/u,
    },
  },
  go: goProject,
  'go in a repository': { ...goProject, before: commit },
  make: {
    needs: ['make', 'cc'],
    files: {
      Makefile: 'sum: sum.o\n\tcc -o sum sum.o\n\ntest: sum\n\t./sum\n\n%.o: %.c\n\tcc -c -o $@ $<\n',
      'sum.c': '#include <stdio.h>\n\nint main(void) {\n  printf("sum %d\\n", 1 + 1);\n  return 0;\n}\n',
    },
    commands: { 'make -j2 test': /sum 2/u, 'make -n test': /\.\/sum/u },
  },
  git: {
    needs: ['git'],
    files: { 'a.txt': 'one\n', 'b/c.txt': 'two\n' },
    before: (root) => {
      commit(root);
      git(root, 'branch', 'other');
    },
    commands: {
      'echo more >> a.txt; git status --short': /^ M a\.txt$/mu,
      'git status': /modified: {3}a\.txt/u,
      'git diff': /^\+more$/mu,
      'git diff --stat HEAD': /1 file changed/u,
      'git log --oneline --graph --all': /first/u,
      'git show --stat HEAD': /2 files changed/u,
      'git blame a.txt': /Not Committed Yet/u,
      'git branch -a': /other/u,
      'git grep one': /a\.txt:one/u,
      'git ls-files': /b\/c\.txt/u,
      'git rev-parse --abbrev-ref HEAD': /main/u,
    },
  },
};

const program = usableBubblewrap();

if (program !== undefined) {
  describe('commands of a project in the sandbox, unasked', () => {
    const sandbox = new NodeSandbox({ program, needsProxy: false });
    const walls: CommandWalls = {
      sandbox: () => Promise.resolve(sandbox),
      isUnasked: () => true,
      shell: () => '/bin/sh',
      mayReach: () => false,
      readable: () => [],
    };

    for (const [name, { needs, files, before, commands }] of Object.entries(projects)) {
      if (!needs.every(isOnPath)) continue;
      it(`work for ${name}`, async function () {
        this.timeout(120_000);
        await using workspace = await TestWorkspace.create(files);
        before?.(workspace.root);
        const person = new Person(({ command }) => assert.fail(`asked for ${command?.text}`));
        const calls = Object.keys(commands).map((command) => ['run_command', { command }] as const);
        // One after the other: each finds what the one before it made.
        const script = [...calls.map((call) => useTools(call)), answer('ok')];
        const { world, runs } = await commandWorld(workspace, person, script, { walls });
        await using _world = world;
        await world.answered('?');
        runs.dispose();
        assert.deepEqual(person.asked, []);
        const details = callsIn(await world.path()).map((call) =>
          call.state === 'output-available' ? commandDetailsIn(call.output) : undefined,
        );
        const results = toolResultsOf(request(world.server, world.server.requests.length));
        for (const [index, [command, expected]] of Object.entries(commands).entries()) {
          const { result = '' } = results[index] ?? {};
          assert.deepEqual([details[index]?.exitCode, details[index]?.sandbox], [0, { refused: [] }], result);
          assert.match(result, expected, command);
        }
      });
    }
  });
}
