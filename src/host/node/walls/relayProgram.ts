/** What the relay writes once it can be connected to. */
export const RELAY_READY = 'ready';

/**
 * A program of Node that leads from the loopback behind a wall to a socket in a file outside. It has the network of the
 * wall, but runs before its filter, which would refuse it that socket. Its arguments: the socket, the port.
 */
export const relayProgram = `
const fs = require('node:fs');
const net = require('node:net');
const [socket, port] = process.argv.slice(2);
// It ends with the proxy, not by the keys that end a command.
net.connect(socket).on('close', () => process.exit()).on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => undefined);
net
  .createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ path: socket, allowHalfOpen: true });
    for (const [one, other] of [[near, far], [far, near]]) {
      one.on('error', () => other.destroy());
      // At its end, the last of it may still be on the way to the other.
      one.on('close', () => one.readableEnded || other.destroy());
      one.pipe(other);
    }
  })
  .listen(Number(port), '127.0.0.1', () => {
    fs.writeSync(1, '${RELAY_READY}');
    fs.closeSync(1);
    // It gets the same number: streams look at it.
    fs.openSync('/dev/null', 'w');
  });
`;
