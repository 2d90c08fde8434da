/**
 * The container file and the compose file, for their shape alone: there is no container engine where these tests run, so
 * nobody has seen them start.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'

const compose = readFileSync('deploy/compose.yaml', 'utf8')
const container = readFileSync('deploy/Containerfile', 'utf8')
/** The lines of a block, by its name and how far it stands in. */
const block = (name: string, indent: number) =>
  new RegExp(`^ {${indent}}${name}:.*\\n((?: {${indent + 2},}.*\\n|\\n)*)`, 'm').exec(compose)?.[1] ?? ''

describe('the container file', () => {
  it('never runs as root, and copies what is there', () => {
    const final = container.slice(container.lastIndexOf('FROM '))
    expect(final).toMatch(/^USER (?!0|root)\d+:\d+$/m)
    for (const [, path = ''] of final.matchAll(/COPY --from=build --chown=0:0 \/build\/(\S+)/g))
      if (!['node_modules', 'dist'].includes(path)) expect([path, existsSync(path)]).toEqual([path, true])
  })

  it('starts the server by its own name', () => {
    expect(container).toContain('ENTRYPOINT ["/usr/local/bin/node"]\nCMD ["server/main.ts"]')
    expect(existsSync('server/main.ts')).toBe(true)
  })
})

describe('the compose file', () => {
  it('has PostgreSQL, Redis, two processes of the API, the site and nginx', () => {
    const services = [...block('services', 0).matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
    expect(services).toEqual(['api1', 'api2', 'site', 'nginx', 'postgres', 'redis'])
  })

  it('gives the API no right that it does not need', () => {
    const api = /^x-api: &api\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? ''
    expect(api).toMatch(/read_only: true/)
    expect(api).toMatch(/cap_drop: \[ALL\]/)
    expect(api).toMatch(/no-new-privileges:true/)
    expect(api).toMatch(/user: "65532:65532"/)
  })

  it('sets only what the server reads', () => {
    const api = /^x-api: &api\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? ''
    const set = [...api.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value])
    const env = Object.fromEntries(
      set.map(([name = '', value = '']) => [
        name,
        value.replace(/\$\{\w+:-(\w+)\}/, '$1').replace(/\$\{(\w+):\?\}/, 'x'.repeat(43)),
      ]),
    )
    const config = readConfig({ ...env, PUBLIC_URL: 'https://films.example.org' })
    expect(config.databaseUrl).toMatch(/@postgres:5432\/marquee$/)
    expect(config.redisUrl).toBe('redis://redis:6379/0')
    expect(config.keysSecret).toHaveLength(43)
    expect(config.trustedProxies).toEqual(['10.89.0.0/24'])
    expect(Object.keys(env).sort()).toEqual(
      ['DATABASE_URL', 'DEMO', 'KEYS_SECRET', 'PUBLIC_URL', 'REDIS_URL', 'TRUSTED_PROXIES'].sort(),
    )
  })

  it('names nginx the processes that there are', () => {
    const nginx = readFileSync('deploy/nginx.conf', 'utf8')
    expect([...nginx.matchAll(/server (api\d):4321/g)].map(([, name]) => name)).toEqual(['api1', 'api2'])
    expect(compose).toContain('./nginx.conf:/etc/nginx/nginx.conf:ro')
  })
})
