/**
 * Static checks of the container file and the compose file. container-start.test.ts starts the server from the files
 * that the image contains.
 */
import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'

const composeText = readFileSync('deploy/compose.yaml', 'utf8')
const containerfileText = readFileSync('deploy/Containerfile', 'utf8')
/** Returns the lines of compose.yaml below a key with this indentation, or an empty text if the key is missing. */
const readYamlBlock = (blockKey: string, indentSpaces: number) =>
  new RegExp(`^ {${indentSpaces}}${blockKey}:.*\\n((?: {${indentSpaces + 2},}.*\\n|\\n)*)`, 'm').exec(
    composeText,
  )?.[1] ?? ''

describe('the container file', () => {
  it('sets a user other than root and copies only existing files', () => {
    const finalStage = containerfileText.slice(containerfileText.lastIndexOf('FROM '))
    expect(finalStage).toMatch(/^USER (?!0|root)\d+:\d+$/m)
    const copiedPaths = [...finalStage.matchAll(/COPY --from=build --chown=0:0 \/build\/(\S+)/g)].map(
      ([, path = '']) => path,
    )
    expect(copiedPaths).toEqual(expect.arrayContaining(['node_modules', 'dist', 'server']))
    const builtPaths = ['node_modules', 'dist']
    expect(copiedPaths.filter((path) => !builtPaths.includes(path) && !existsSync(path))).toEqual([])
  })

  it('installs with the npm settings of the project, without packages for development and without a second copy of Node.js', () => {
    const npmStepIndex = containerfileText.indexOf('\nRUN npm ci --omit=dev\n')
    expect(containerfileText.slice(0, npmStepIndex)).toMatch(
      /^COPY package\.json package-lock\.json \.npmrc \.\/$/m,
    )
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: object
    }
    const removedPaths = /rm -rf (.*)/.exec(containerfileText)?.[1]?.split(' ') ?? []
    expect(removedPaths).toContain('node_modules/.bin/node')
    const nodeBinaryPackages = Object.keys(optionalDependencies).filter((name) => name.includes('linux'))
    expect(nodeBinaryPackages).toHaveLength(2)
    for (const name of nodeBinaryPackages)
      expect(removedPaths.some((path) => matchesGlob(`node_modules/${name}`, path))).toBe(true)
  })

  it('starts server/main.ts with the memory options of `npm run serve`', () => {
    expect(containerfileText).toContain(
      'ENTRYPOINT ["/usr/local/bin/node"]\nCMD ["--max-semi-space-size=8", "server/main.ts"]',
    )
    expect(containerfileText).toMatch(/^ENV .*\bMALLOC_TRIM_THRESHOLD_=1048576$/m)
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(scripts.serve).toMatch(
      /^MALLOC_TRIM_THRESHOLD_=\S+:-1048576\} exec node --max-semi-space-size=8 server\/main\.ts$/,
    )
    expect(existsSync('server/main.ts')).toBe(true)
  })
})

describe('backups in containers', () => {
  it('the image has pg_dump, pg_restore and psql of the same major version as the PostgreSQL server', () => {
    const [, serverVersion] = /postgres:(\d+)-alpine/.exec(composeText) ?? []
    const [, clientVersion] = /postgresql-client-(\d+)/.exec(containerfileText) ?? []
    expect(clientVersion).toBe(serverVersion)
    expect(containerfileText).toContain(`/usr/lib/postgresql/${serverVersion}/bin/`)
    for (const program of ['pg_dump', 'pg_restore', 'psql'])
      expect(containerfileText).toMatch(new RegExp(`for name in [^;]*\\b${program}\\b`))
  })

  it('both API processes share a folder of backups to which the unprivileged user may write', () => {
    for (const service of ['api1', 'api2'])
      expect(readYamlBlock(service, 2)).toContain(`volumes: [${service}:/data, backups:/data/backups, `)
    expect(containerfileText).toContain('COPY --from=build --chown=65532:65532 /empty /data/backups\n')
  })
})

describe('the compose file', () => {
  it('defines two API processes, the site, nginx, PostgreSQL and Redis', () => {
    const services = [...readYamlBlock('services', 0).matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
    expect(services).toEqual(['api1', 'api2', 'site', 'nginx', 'postgres', 'redis'])
  })

  it('runs the API read-only, without capabilities and as an unprivileged user', () => {
    const apiBlock = /^x-api: &api\n((?: {2}.*\n)+)/m.exec(composeText)?.[1] ?? ''
    expect(apiBlock).toMatch(/read_only: true/)
    expect(apiBlock).toMatch(/cap_drop: \[ALL\]/)
    expect(apiBlock).toMatch(/no-new-privileges:true/)
    expect(apiBlock).toMatch(/user: "65532:65532"/)
  })

  it('sets only environment variables that the server reads', () => {
    const apiBlock = /^x-api: &api\n((?: {2}.*\n)+)/m.exec(composeText)?.[1] ?? ''
    const environmentVariables = [...apiBlock.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    )
    const env = Object.fromEntries(
      environmentVariables.map(([name = '', value = '']) => [
        name,
        value
          .replace(/\$\{\w+:-(\w*)\}/, '$1')
          .replace(/\$\{\w+:\+(.*)\}/, '$1')
          .replace(/\$\{(\w+):\?\}/, 'x'.repeat(43)),
      ]),
    )
    const config = readConfig({ ...env, PUBLIC_URL: 'https://films.example.org' })
    expect(config.databaseUrl).toMatch(/@postgres:5432\/marquee$/)
    expect(config.redisUrl).toBe('redis://redis:6379/0')
    expect(config.keysSecret).toHaveLength(43)
    expect(config.trustedProxies).toEqual(['10.89.0.0/24'])
    expect(Object.keys(env).sort()).toEqual(
      [
        'DATABASE_URL',
        'DEMO',
        'KEYS_SECRET',
        'MEDIA_DIR',
        'METRICS_TOKEN',
        'PUBLIC_URL',
        'REDIS_URL',
        'TRUSTED_PROXIES',
      ].sort(),
    )
    expect(config.mediaDir).toBe('/media')
  })

  it('mounts the media folder of the host read-only at /media, or an empty volume if MEDIA_DIR is not set', () => {
    for (const service of ['api1', 'api2'])
      expect(readYamlBlock(service, 2)).toMatch(/"\$\{MEDIA_DIR:-no-media\}:\/media:ro"/)
    expect(composeText).toContain('no-media: {}')
  })

  it('passes the environment variables that change the built site both to the build and to the API processes', () => {
    const siteBlock = /^x-site: &site\n((?: {2}.*\n)+)/m.exec(composeText)?.[1] ?? ''
    const variableNames = [...siteBlock.matchAll(/^ {2}([A-Z_]+): \$\{\1:-/gm)].map(([, name]) => name)
    expect(variableNames).toEqual(['SITE_NAME', 'IMAGE_BASE_URL', 'EMBED_ORIGINS'])
    expect(composeText).toContain('args: *site }\n')
    expect(composeText).toContain('  environment:\n    <<: *site\n')
    const buildStage = containerfileText.slice(0, containerfileText.indexOf('RUN npm run build'))
    for (const name of variableNames) expect(buildStage).toMatch(new RegExp(`^ARG ${name}\\b`, 'm'))
  })

  it('restarts nginx when the site or an API process is recreated', () => {
    const dependencies = [...readYamlBlock('nginx', 2).matchAll(/^ {6}(\w+): \{ .*restart: true \}$/gm)]
    expect(dependencies.map(([, name]) => name)).toEqual(['site', 'api1', 'api2'])
  })

  it('mounts the nginx configuration, which lists both API processes', () => {
    const nginxConfig = readFileSync('deploy/nginx.conf', 'utf8')
    expect([...nginxConfig.matchAll(/server (api\d):4321/g)].map(([, name]) => name)).toEqual([
      'api1',
      'api2',
    ])
    expect(composeText).toContain('./nginx.conf:/etc/nginx/nginx.conf:ro')
  })
})
