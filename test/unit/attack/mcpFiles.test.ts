import assert from 'node:assert/strict';
import { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApprovalChoice } from '../../../src/agent/tools/approvals.ts';
import { configFiles, withServer } from '../../../src/extension/mcp/mcpConfig.ts';
import { jsonc } from '../../../src/extension/pages/themeFile.ts';
import { protectionOf } from '../../../src/host/protectedFiles.ts';
import { answer, useTools } from '../../fixtures/openaiServer.ts';
import { RealWorkspace } from '../../fixtures/realWorkspace.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

/** Where programs look for the servers that they start, by whatever way it is written. */
const places = [
  ...[
    '.mcp.json',
    'sub/deep/.mcp.json',
    '.MCP.JSON',
    '.Mcp.Json',
    '.mcp.json.',
    '.mcp.json ',
    '.mcp.json. . ',
  ],
  ...['./.mcp.json', 'a/../.mcp.json', '.mcp.json\u200b', '.m\u00adcp.json'],
  ...['.vscode/mcp.json', '.VSCODE/mcp.json', '.vscode./mcp.json', '.vscode /mcp.json', '.vscode//mcp.json'],
  ...['sub/.vscode/mcp.json', '.vscode::$INDEX_ALLOCATION/mcp.json', '.vſcode/mcp.json'],
  ...[
    '.cursor/mcp.json',
    '.Cursor/MCP.json',
    '.cursor/rules',
    'mcp.json',
    '.mcp/servers.json',
    'mcp_config.json',
  ],
  ...[
    '.vscode/settings.json',
    '.vscode/tasks.json',
    'x.code-workspace',
    'X.CODE-WORKSPACE',
    '.devcontainer.json',
  ],
  ...[
    '.devcontainer/devcontainer.json',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.codex/config.toml',
  ],
  ...[
    '.gemini/settings.json',
    'opencode.json',
    '.kiro/settings/mcp.json',
    '.roo/mcp.json',
    '.amazonq/mcp.json',
  ],
  ...['.zed/settings.json', '.idea/mcp.json', '.windsurf/mcp_config.json', '.github/copilot-instructions.md'],
];

const entry = { type: 'stdio', command: 'node', args: ['/a/offshoot-mcp.mjs', '--storage', '/c'] } as const;
const forged = '{"command":"evil"}';

/** Files of a hostile repository that the server is to be added to. */
const files: Readonly<Record<string, string>> = {
  'two servers of our name': `{"mcpServers":{"offshoot":${forged},"offshoot":${forged}}}`,
  'two members of servers': `{"mcpServers":{},"mcpServers":{"offshoot":${forged}}}`,
  'two members of servers, in other letters': `{"mcpServers":{},"mcp\\u0053ervers":{"offshoot":${forged}}}`,
  'our name in other letters': `{"mcpServers":{"off\\u0073hoot":${forged},"offshoot":${forged}}}`,
  'servers in a prototype': `{"__proto__":{"mcpServers":{"offshoot":${forged}}}}`,
  'our server in a prototype': `{"mcpServers":{"__proto__":{"offshoot":${forged}}}}`,
  'keys of constructors': '{"constructor":{"prototype":{"polluted":true}},"mcpServers":{}}',
  'a list of servers': '{"mcpServers":[]}',
  'no servers': '{"mcpServers":null}',
  'servers that are a text': '{"mcpServers":"{}"}',
  'a server that is a text': '{"mcpServers":{"offshoot":"x"}}',
  'a server that is a list': '{"mcpServers":{"offshoot":[]}}',
  'a list': '[]',
  'a number': '1e999',
  'what nests deeply': `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  'what nests deeply and does not end': '{"mcpServers":'.repeat(20_000),
  'no end': '{"mcpServers":{',
  'more than one value': '{"mcpServers":{}} {"mcpServers":{}}',
  'an end in a note': '{"mcpServers":{} /* } */',
  'a note without an end': '{"mcpServers":{}} /*',
  'a note in front': `// {"mcpServers":{"offshoot":${forged}}}\n{}`,
  'turned characters': '{"\u202emcpServers":{},"mcpServers":{}}',
  'a NUL': '{"mcpServers":{}}\u0000',
  'two byte order marks': '\uFEFF\uFEFF{}',
  'other blanks': '\u00a0{}\u2028',
  'a line end of old': '{\r"mcpServers": {\r}\r}',
  'single quotes': "{'mcpServers':{}}",
  'ten thousand servers': `{"mcpServers":{${Array.from({ length: 10_000 }, (_, index) => `"s${index}":${forged}`).join()}}}`,
};

describe('attack: files that name servers', () => {
  for (const place of places) {
    it(`are protected, however they are named: ${JSON.stringify(place)}`, () => {
      assert.notEqual(protectionOf(place), undefined);
    });
  }

  for (const choice of ['chat', 'workspace'] as const satisfies readonly ApprovalChoice[]) {
    it(`are asked about each time they are written, though “${choice}” was answered before`, async () => {
      await using workspace = await TestWorkspace.create({ 'a.txt': 'a', 'b.txt': '{}', '.mcp.json': '{}' });
      await mkdir(workspace.at('.vscode'));
      await symlink('.mcp.json', workspace.at('linked.txt'));
      await symlink('.vscode', workspace.at('conf'));
      await link(workspace.at('.mcp.json'), workspace.at('other.txt'));
      const person = new Person(({ protection }) => (protection === undefined ? choice : 'deny'));
      const names = [
        '.mcp.json',
        'sub/.mcp.json',
        '.vscode/mcp.json',
        '.cursor/mcp.json',
        'linked.txt',
        'conf/mcp.json',
      ];
      const write = (file: string) => ['write_file', { path: file, content: '{"x":1}' }] as const;
      await using world = await writingWorld(workspace, person, [
        useTools(write('a.txt'), write('c.txt'), ...names.map(write), [
          'rename_file',
          { from: 'b.txt', to: '.cursor/mcp.json' },
        ]),
        answer('ok'),
      ]);
      await world.answered('?');
      const reasons = person.asked.map(({ protection }) => protection);
      assert.deepEqual(reasons.filter((reason) => reason === undefined).length, 1);
      assert.ok(reasons.filter((reason) => reason !== undefined).length >= names.length - 1, reasons.join());
      assert.equal(await workspace.text('.mcp.json'), '{}');
    });
  }

  for (const [what, text] of Object.entries(files)) {
    it(`get the server, and no other by its name, or stay as they are: ${what}`, () => {
      let after: string;
      try {
        after = withServer(jsonc, text, configFiles.shared, entry);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'mcp-config-invalid');
        return;
      }
      assert.equal('polluted' in {}, false);
      const read = jsonc.parse(after, [], { allowTrailingComma: true }) as Record<
        string,
        Record<string, unknown>
      >;
      assert.deepEqual(read['mcpServers']?.['offshoot'], entry, 'the last of a name is the one that counts');
    });
  }

  for (const { path: file } of Object.values(configFiles)) {
    it(`are not written through what leads elsewhere: ${file}`, async () => {
      await using workspace = await RealWorkspace.make();
      const content = { bytes: Buffer.from('{}'), mode: undefined };
      const outside = path.join(workspace.outside, 'x.json');
      await writeFile(outside, 'kept');
      await mkdir(path.dirname(workspace.onDisk(file)), { recursive: true });
      for (const target of [outside, path.join(workspace.outside, 'none.json'), workspace.onDisk(file)]) {
        await symlink(target, workspace.onDisk(file));
        const before = await workspace.picture(workspace.outside);
        await assert.rejects(workspace.files.read(workspace.at(file)), target);
        await assert.rejects(workspace.files.write(workspace.at(file), content, 'mcp', { hash: null }));
        assert.deepEqual(await workspace.picture(workspace.outside), before);
        await rm(workspace.onDisk(file));
      }
    });

    it(`are not written where they changed since they were shown: ${file}`, async () => {
      await using workspace = await RealWorkspace.make();
      await workspace.put(file, '{"changed":true}');
      const content = { bytes: Buffer.from('{}'), mode: undefined };
      for (const hash of [null, 'a'.repeat(64)])
        await assert.rejects(workspace.files.write(workspace.at(file), content, 'mcp', { hash }));
      assert.equal(await workspace.text(file), '{"changed":true}');
    });
  }
});
