import { CHAT } from '../../fixtures/mcp/heronsFolder.ts';
import type { Place } from '../confined.ts';
import { NOTE, type McpProgram } from './mcpProgram.ts';

/** Runs one method of the protocol. @returns what it prints: the result as JSON */
async function run(place: Place, method: string, ...args: readonly string[]): Promise<string> {
  const from = ['--cli', '--config', '.mcp.json', '--server', 'offshoot', '--method', method];
  const { status, stdout, stderr } = await place.run([...from, ...args]);
  if (status !== 0) throw new Error(`${method} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

function call(place: Place, tool: string, ...inputs: readonly string[]): Promise<string> {
  const args = inputs.flatMap((input) => ['--tool-arg', input]);
  return run(place, 'tools/call', '--tool-name', tool, ...args);
}

/** The protocol's own tool for looking at servers; it has no model. */
export const inspector: McpProgram = {
  program: 'mcp-inspector',
  name: 'MCP Inspector',
  packages: [{ name: '@modelcontextprotocol/inspector', version: '2.12.0' }],
  command: 'mcp-inspector',
  keeps: [],
  env: () => ({}),
  lacks: { progress: 'its command line does not ask to be told' },
  connect: (place, world) => place.writeInProject('.mcp.json', world.config),
  use: async (place) => {
    await run(place, 'tools/list', '--strict');
    await run(place, 'resources/templates/list');
    const resources = await run(place, 'resources/list');
    const list = await call(place, 'list_branches', `chat=${CHAT}`);
    const uri = `offshoot://chat/${CHAT}/branch/main-v2`;
    const resource = await run(place, 'resources/read', '--uri', uri);
    const read = await call(place, 'read_path', `chat=${CHAT}`);
    const written = await call(place, 'add_note', `chat=${CHAT}`, `text=${NOTE}`);
    return { list: `${resources}${list}`, read: `${resource}${read}`, written };
  },
};
