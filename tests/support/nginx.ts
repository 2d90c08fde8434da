/**
 * Prepares deploy/nginx.conf for a test: replaces the paths and host names of the container with the values of the
 * test.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram, type InstalledProgram } from '../../scripts/servers.ts'

interface NginxOptions {
  /** Folder of the configuration file and of the files that nginx writes. */
  folder: string
  /** Folder of the built site. */
  siteFolder: string
  port: number
  /** Ports of the server processes on 127.0.0.1. */
  upstreamPorts: number[]
}

/** Writes the configuration file and returns its path. */
export function writeNginxConfig({ folder, siteFolder, port, upstreamPorts }: NginxOptions): string {
  const serverDirectives = upstreamPorts.map(
    (upstreamPort) => `server 127.0.0.1:${upstreamPort} max_fails=1 fail_timeout=1s;`,
  )
  const configText = readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/server api1:4321[^;]*;\s*server api2:4321[^;]*;/, serverDirectives.join('\n'))
    .replaceAll('/srv/marquee', siteFolder)
    .replaceAll('/tmp/nginx', `${folder}/nginx`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('/etc/nginx/mime.types', copyMimeTypes(folder))
  const userDirective = process.getuid?.() === 0 ? 'user root;\n' : ''
  const configPath = join(folder, 'nginx.conf')
  writeFileSync(configPath, userDirective + configText)
  return configPath
}

/**
 * Copies mime.types of the machine, or else of the unpacked nginx package, to `folder`. Returns the path of the copy.
 * Throws if neither file exists.
 */
function copyMimeTypes(folder: string): string {
  const nginxProgram = findProgram('nginx') as InstalledProgram
  const candidateFiles = [
    '/etc/nginx/mime.types',
    join(dirname(nginxProgram.executable), '../../etc/nginx/mime.types'),
  ]
  const mimeTypesFile = candidateFiles.find((file) => existsSync(file))
  if (!mimeTypesFile) throw new Error('mime.types of nginx not found')
  const copiedMimeTypesFile = join(folder, 'mime.types')
  mkdirSync(folder, { recursive: true })
  copyFileSync(mimeTypesFile, copiedMimeTypesFile)
  return copiedMimeTypesFile
}
