import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

// Starts the MCP server of this checkout in place of an installed one, and keeps each message of either side in a file next
// to the storage folder.
//   node tee.child.cjs --storage <folder>

const args = process.argv.slice(2);
const storage = args[args.indexOf('--storage') + 1] ?? '';
const kept = path.join(path.dirname(storage), 'spoken.jsonl');
const server = spawn(process.execPath, [path.resolve(__dirname, '../../../../dist/mcp.mjs'), ...args], {
  stdio: ['pipe', 'pipe', 'inherit'],
});

function keep(who: 'client' | 'server', line: string): void {
  appendFileSync(kept, `{"who":"${who}","message":${line}}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  keep('client', line);
  server.stdin.write(`${line}\n`);
});
createInterface({ input: server.stdout }).on('line', (line) => {
  keep('server', line);
  process.stdout.write(`${line}\n`);
});
process.stdin.on('end', () => server.stdin.end());
server.on('exit', (status) => process.exit(status ?? 1));
