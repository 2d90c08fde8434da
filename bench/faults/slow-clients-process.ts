/**
 * `node bench/faults/slow-clients-process.ts PORT KIND COUNT ADDRESSES`: slow clients in a process of their own. Prints
 * `ready` when all connections are open, and on SIGTERM the number of connections that the server has closed.
 */
import { constants, setPriority } from 'node:os'
import { listLoopbackAddresses, type SlowKind, startSlowClients } from '../../tests/support/slow-clients.ts'

// Real clients have processors of their own. Here they must not take the time of the server or of the readers.
setPriority(constants.priority.PRIORITY_LOW)
const [port, kind, count, addressCount] = process.argv.slice(2)
const slowClients = await startSlowClients({
  port: Number(port),
  kind: kind as SlowKind,
  count: Number(count),
  addresses: listLoopbackAddresses(Number(addressCount)),
})
process.stdout.write('ready\n')
process.on('SIGTERM', () => {
  slowClients.stop()
  process.stdout.write(`${slowClients.getClosedCount()}\n`, () => process.exit(0))
})
