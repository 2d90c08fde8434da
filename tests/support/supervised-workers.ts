/**
 * `node supervised-workers.ts PORT FOLDER` starts two supervised workers that send a fixed response, without a
 * database. While FOLDER contains a file named `exit`, new workers exit before they listen. While FOLDER contains a
 * file named `wait`, new workers wait, and listen only when the file is deleted.
 */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { closeListener, superviseWorkers } from '../../server/cluster-supervisor.ts'
import { createLog } from '../../server/core/log.ts'
import { waitUntilReady } from './test-service.ts'

const [, , port, folder = ''] = process.argv
const log = createLog('info')
if (cluster.isPrimary) {
  await superviseWorkers(2, log, () => log.info('listening'))
} else {
  if (existsSync(join(folder, 'exit'))) process.exit(1)
  await waitUntilReady(async () => !existsSync(join(folder, 'wait')))
  const server = createServer((_, response) => response.end('served'))
  server.listen(Number(port), '127.0.0.1')
  process.on('SIGTERM', () => void closeListener(server).then(() => process.exit(0)))
}
