import { chmod, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Channels, Link, LinkEvents, Listener } from '../platform.ts';

// A message is its length in four bytes, big-endian, followed by its bytes.

const HEADER = 4;

/** The maximum number of bytes queued for an end that does not read. */
const MAX_WAITING_BYTES = 512 * 1024 * 1024;

/** More connections than the number of windows anyone has. */
const MAX_CONNECTIONS = 64;

/** Systems accept addresses of up to 104 or 108 bytes. */
const MAX_ADDRESS_BYTES = 100;

const CONNECT_MS = 2_000;

/** How long an end that does not read may delay closing, in milliseconds. */
const FLUSH_MS = 1_000;

const isWindows = process.platform === 'win32';
const socketName = /^offshoot-[0-9a-f]{8}\.sock$/;
const temporaryFolder = 'offshoot-channel-';

/** Unix domain sockets, and named pipes on Windows. */
export const socketChannels: Channels = { listen, connect: connectTo, discard };

async function listen(folder: string, onLink: (link: Link) => LinkEvents): Promise<Listener> {
  const server = createServer((socket) => new SocketLink(socket, onLink));
  server.maxConnections = MAX_CONNECTIONS;
  const name = `offshoot-${crypto.randomUUID().slice(0, 8)}.sock`;
  if (isWindows) {
    const address = `\\\\.\\pipe\\offshoot-${crypto.randomUUID()}`;
    await listenAt(server, address);
    return listenerOf(server, address);
  }
  const inFolder = path.join(folder, name);
  if (Buffer.byteLength(inFolder) <= MAX_ADDRESS_BYTES) {
    try {
      await listenAt(server, inFolder);
      return listenerOf(server, inFolder);
    } catch {
      // Not every file system supports sockets; the one for temporary files does.
    }
  }
  // No other user may enter it.
  const made = await mkdtemp(path.join(tmpdir(), temporaryFolder));
  const address = path.join(made, name);
  try {
    await listenAt(server, address);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
  return listenerOf(server, address);
}

async function listenAt(server: Server, address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (!isWindows) await chmod(address, 0o600);
  // Does not keep a program running.
  server.unref();
}

function listenerOf(server: Server, address: string): Listener {
  server.on('error', () => {
    // A connection could not be accepted: the other side tries again.
  });
  return {
    address,
    close: async () => {
      // `close` waits for existing connections, which are handled elsewhere.
      server.close();
      await discard(address);
    },
  };
}

async function connectTo(address: string, onLink: (link: Link) => LinkEvents): Promise<Link | undefined> {
  const socket = connect(address);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.setTimeout(CONNECT_MS, () => resolve(false));
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!isOpen) {
    socket.destroy();
    return undefined;
  }
  socket.setTimeout(0);
  return new SocketLink(socket, onLink);
}

async function discard(address: string): Promise<void> {
  if (isWindows || !socketName.test(path.basename(address))) return;
  await rm(address, { force: true });
  const folder = path.dirname(address);
  if (!path.basename(folder).startsWith(temporaryFolder)) return;
  // Fails if it is not empty, that is, not ours.
  await rmdir(folder).catch(() => undefined);
}

class SocketLink implements Link {
  limit = 4_096;
  private chunks: Buffer[] = [];
  private size = 0;
  private readonly events: LinkEvents;
  private readonly closed: Promise<void>;
  private flushing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly socket: Socket,
    onLink: (link: Link) => LinkEvents,
  ) {
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(this.flushing);
        this.chunks = [];
        resolve();
        this.events.onClose();
      });
    });
    this.events = onLink(this);
    socket.unref();
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', () => {
      // The connection is closed, which is all that matters.
    });
  }

  send(message: Uint8Array): void {
    if (!this.socket.writable) return;
    const header = Buffer.alloc(HEADER);
    header.writeUInt32BE(message.byteLength);
    this.socket.cork();
    this.socket.write(header);
    this.socket.write(message);
    this.socket.uncork();
    if (this.socket.writableLength > MAX_WAITING_BYTES) void this.close();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): Promise<void> {
    if (!this.socket.destroyed) {
      this.flushing ??= setTimeout(() => this.socket.destroy(), FLUSH_MS).unref();
      this.socket.destroySoon();
    }
    return this.closed;
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.byteLength;
    for (let length = this.nextLength(); length !== undefined; length = this.nextLength()) {
      if (length > this.limit) {
        this.socket.destroy();
        return;
      }
      if (this.size < HEADER + length) return;
      const all = this.joined();
      this.chunks = [all.subarray(HEADER + length)];
      this.size -= HEADER + length;
      this.events.onMessage(all.subarray(HEADER, HEADER + length));
      if (this.socket.destroyed) return;
    }
  }

  private nextLength(): number | undefined {
    if (this.size < HEADER) return undefined;
    const [first] = this.chunks;
    return (first && first.byteLength >= HEADER ? first : this.joined()).readUInt32BE();
  }

  private joined(): Buffer {
    const all = this.chunks.length === 1 && this.chunks[0] ? this.chunks[0] : Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }
}
