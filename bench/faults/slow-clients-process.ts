/**
 * `node bench/faults/slow-clients-process.ts PORT KIND COUNT ADDRESSES`: runs slow clients in a separate process.
 * Prints `ready` when all clients have been started, and on SIGTERM the number of connections that the server has
 * closed.
 */
import { constants, setPriority } from 'node:os'
import {
  listLoopbackAddresses,
  type SlowClientKind,
  startSlowClients,
} from '../../tests/support/slow-clients.ts'

// The slow clients share the processors with the server and the readers, so they get a low priority.
setPriority(constants.priority.PRIORITY_LOW)
const [port, kind, clientCount, addressCount] = process.argv.slice(2)
const slowClients = await startSlowClients({
  port: Number(port),
  kind: kind as SlowClientKind,
  count: Number(clientCount),
  addresses: listLoopbackAddresses(Number(addressCount)),
})
process.stdout.write('ready\n')
process.on('SIGTERM', () => {
  slowClients.stop()
  process.stdout.write(`${slowClients.getClosedConnectionCount()}\n`, () => process.exit(0))
})
