/** deploy/nginx.conf with the names of its container replaced by what is there in a test. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Found, findServer } from '../../scripts/servers.ts'

interface Place {
  /** For the file itself and what nginx writes. */
  folder: string
  site: string
  port: number
  upstreams: number[]
}

/** Returns the path of the configuration. */
export function nginxConfig({ folder, site, port, upstreams }: Place): string {
  const servers = upstreams.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`)
  const text = readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/server api1:4321[^;]*;\s*server api2:4321[^;]*;/, servers.join('\n'))
    .replaceAll('/srv/marquee', site)
    .replaceAll('/tmp/nginx', `${folder}/nginx`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('/etc/nginx/mime.types', mimeTypes(folder))
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, user + text)
  return file
}

/** Of the machine, else of the unpacked package. */
function mimeTypes(folder: string): string {
  const found = findServer('nginx') as Found
  const candidates = ['/etc/nginx/mime.types', join(dirname(found.file), '../../etc/nginx/mime.types')]
  const there = candidates.find((file) => existsSync(file))
  if (!there) throw new Error('nginx came without mime.types')
  const copy = join(folder, 'mime.types')
  mkdirSync(folder, { recursive: true })
  copyFileSync(there, copy)
  return copy
}
