/** `node supervised-workers.ts PORT` starts two supervised workers that send a fixed response, without a database. */
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { closeListener, superviseWorkers } from '../../server/cluster-supervisor.ts'
import { createLog } from '../../server/core/log.ts'

const log = createLog('info')
if (cluster.isPrimary) {
  await superviseWorkers(2, log, () => log.info('listening'))
} else {
  const server = createServer((_, response) => response.end('served'))
  server.listen(Number(process.argv[2]), '127.0.0.1')
  process.on('SIGTERM', () => void closeListener(server).then(() => process.exit(0)))
}
