/**
 * Starts ffmpeg and reads its output chunk by chunk into one reused buffer. For an ordinary pipe, Node allocates a new
 * buffer for each chunk. Garbage collection of these buffers examines the whole heap of the server each time. For a
 * copied stream, that costs more processor time than all other work together.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface OutputProcess {
  child: ChildProcess
  /** The chunks of the standard output. A chunk is overwritten when the next one is requested. */
  output: AsyncIterable<Buffer>
  /** Resolves when the process has ended. */
  exitPromise: Promise<ProcessExit>
}
/** Exit code of a process, the signal that killed it, or the error with which it could not start. */
export type ProcessExit = number | NodeJS.Signals | Error
/**
 * Signals that end a process when the system lacks memory or shuts down. Other signals, such as SIGSEGV, mean
 * that ffmpeg failed on the file.
 */
export const SYSTEM_KILL_SIGNALS: ReadonlySet<unknown> = new Set<NodeJS.Signals>([
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
])

/** Size of a chunk, which is about the size of the kernel buffer of a socket. */
const CHUNK_BYTES = 256 * 1024

export async function spawnWithOutput(
  command: string,
  commandArguments: readonly string[],
): Promise<OutputProcess> {
  // Only Linux has sockets without a path in the file system. Other systems limit the length of the path of a socket,
  // so a pipe is used there.
  if (process.platform !== 'linux') {
    const child = spawn(command, commandArguments, { stdio: ['ignore', 'pipe', 'pipe'] })
    return { child, output: child.stdout, exitPromise: waitForExit(child) }
  }
  const { writer, output } = await createSocketPair()
  const child = spawn(command, commandArguments, { stdio: ['ignore', writer, 'pipe'] })
  // The child has its own copy of this end of the socket. Unless this process closes its copy, the output does not end
  // when the child ends.
  writer.destroy()
  return { child, output, exitPromise: waitForExit(child) }
}

const waitForExit = (child: ChildProcess) =>
  new Promise<ProcessExit>((resolve) => {
    // Either the exit code or the signal is null.
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'))
    child.once('error', resolve)
  })

async function createSocketPair(): Promise<{ writer: Socket; output: AsyncIterable<Buffer> }> {
  const socketPath = `\0marquee-${randomBytes(16).toString('hex')}`
  const server = createServer({ pauseOnConnect: true }).listen(socketPath)
  try {
    await once(server, 'listening')
    const connectionPromise = once(server, 'connection')
    const output = connectReader(socketPath)
    const [writer] = (await connectionPromise) as [Socket]
    return { writer, output }
  } finally {
    server.close()
  }
}

function connectReader(socketPath: string): AsyncGenerator<Buffer> {
  const readerState = { chunk: null as Buffer | null, isClosed: false, resumeReading: () => {} }
  const receiveChunk = (lengthBytes: number, buffer: Uint8Array): boolean => {
    readerState.chunk = Buffer.from(buffer.buffer, buffer.byteOffset, lengthBytes)
    readerState.resumeReading()
    return false
  }
  const socket = connect({
    path: socketPath,
    onread: { buffer: Buffer.allocUnsafeSlow(CHUNK_BYTES), callback: receiveChunk },
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    readerState.isClosed = true
    readerState.resumeReading()
  })
  return readChunks(socket, readerState)
}

async function* readChunks(
  socket: Socket,
  readerState: { chunk: Buffer | null; isClosed: boolean; resumeReading: () => void },
): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      if (readerState.chunk) {
        yield readerState.chunk
        readerState.chunk = null
        socket.resume()
      } else if (readerState.isClosed) return
      else
        await new Promise<void>((resolve) => {
          readerState.resumeReading = resolve
        })
    }
  } finally {
    socket.destroy()
  }
}
