import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';

/**
 * @typedef {object} FrontDoor
 * @property {number} port
 * @property {(port: number | undefined) => void} leadTo the server behind it, which may come back on another port
 * @property {() => Promise<void>} close
 */

/**
 * Stands before VS Code's server on the loopback and passes everything through, with two additions that
 * code-server's own front end makes: half of the key that encrypts secrets in the browser, and an empty
 * service worker. It keeps its port while the server restarts, so the browser finds its storage again.
 * @param {{ port?: number, keyFile: string }} options
 * @returns {Promise<FrontDoor>}
 */
export async function openFrontDoor({ port = 0, keyFile }) {
  /** @type {number | undefined} */
  let target;
  /** @type {Set<net.Socket>} */
  const sockets = new Set();
  const key = keptKey(keyFile);

  const server = http.createServer((request, response) => {
    if (request.method === 'POST' && pathOf(request) === '/mint-key') {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(key);
    } else if (pathOf(request) === '/_static/out/browser/serviceWorker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end();
    } else {
      forward(request, response, target);
    }
  });
  server.on('upgrade', (request, socket, head) => tunnel(request, socket, head, target));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, () => resolve(undefined));
  });

  return {
    port: /** @type {net.AddressInfo} */ (server.address()).port,
    leadTo: (next) => (target = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** @param {http.IncomingMessage} request */
const pathOf = (request) => new URL(request.url ?? '/', 'http://localhost').pathname;

/**
 * The key outlives the process: secrets encrypted with it do too.
 * @param {string} keyFile
 */
function keptKey(keyFile) {
  try {
    return readFileSync(keyFile);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    const key = randomBytes(32);
    writeFileSync(keyFile, key, { mode: 0o600 });
    return key;
  }
}

/**
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 * @param {number | undefined} port
 */
function forward(request, response, port) {
  const refuse = () => {
    if (!response.headersSent) response.writeHead(503, { 'retry-after': '1' });
    response.end('VS Code is starting; reload in a moment.');
  };
  if (port === undefined) return refuse();
  const { method, url, headers } = request;
  const onward = http.request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', refuse);
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/**
 * @param {http.IncomingMessage} request
 * @param {import('node:stream').Duplex} socket
 * @param {Buffer} head
 * @param {number | undefined} port
 */
function tunnel(request, socket, head, port) {
  socket.on('error', () => socket.destroy());
  if (port === undefined) return socket.destroy();
  const onward = net.connect(port, '127.0.0.1', () => {
    const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
    }
    onward.write(`${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  onward.on('close', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}
