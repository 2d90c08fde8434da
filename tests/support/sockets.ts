import type { Socket } from 'node:net'

/** Resolves when the socket is closed. `once` would reject instead when the other side resets the connection. */
export const waitForClose = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()))
