/** The files that the build writes for CDNs, by the table of requests of every other server of the site. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headerLines } from '../../scripts/cdn-files.ts'
import { cloudFront, cloudflarePages, netlify } from './rules.ts'
import { API_ORIGIN, buildSite, CSP, cacheOf, TABLE } from './site.ts'

let site: string
let cdn: { site: string; redirects: string; headers: string }
beforeAll(() => {
  site = buildSite()
  const read = (name: string) => readFileSync(join(site, name), 'utf8')
  cdn = { site, redirects: read('_redirects'), headers: read('_headers') }
})
afterAll(() => rmSync(site, { recursive: true, force: true }))

/** Files by their own names, `/movies/detail/index.html` say, are as good as pages on a CDN. */
const isFileName = (path: string) => path.endsWith('.html')

describe('Netlify', () => {
  it('answers the whole table', () => {
    for (const { path, status, body, cache } of TABLE.filter((one) => !isFileName(one.path))) {
      const answer = netlify(cdn, path)
      expect([path, answer.status, answer.body]).toEqual([path, status, body])
      if (status === 200 && cache !== 'any')
        expect([path, cacheOf(answer.headers['cache-control'])]).toEqual([path, cache])
      for (const [name, value] of headerLines(CSP)) expect(answer.headers[name.toLowerCase()]).toBe(value)
    }
  })

  it('hands calls on to the API, query and all', () => {
    expect(netlify(cdn, '/api/auth/login').proxied).toBe(`${API_ORIGIN}/api/auth/login`)
    expect(netlify(cdn, '/proxy/m/clip.mp4').proxied).toBe(`${API_ORIGIN}/proxy/m/clip.mp4`)
    expect(netlify(cdn, '/images/w92/drawn/poster/1.svg').proxied).toBe(
      `${API_ORIGIN}/images/w92/drawn/poster/1.svg`,
    )
  })

  it('is told of the folder that the build writes', () => {
    const toml = readFileSync('deploy/netlify.toml', 'utf8')
    expect(toml).toMatch(/publish = "dist"/)
    expect(toml).toMatch(/npm run build/)
  })
})

describe('Cloudflare Pages', () => {
  it('answers the whole table', () => {
    for (const { path, status, body, cache } of TABLE.filter((one) => !isFileName(one.path))) {
      if (path.startsWith('/_deploy/')) continue
      const answer = cloudflarePages(cdn, path)
      expect([path, answer.status, answer.body]).toEqual([path, status, body])
      if (status === 200 && cache !== 'any')
        expect([path, cacheOf(answer.headers['cache-control'])]).toEqual([path, cache])
    }
  })

  it('keeps within the limits of the vendor', () => {
    expect(cdn.redirects.trim().split('\n').length).toBeLessThan(100)
    for (const line of [...cdn.redirects.split('\n'), ...cdn.headers.split('\n')])
      expect(line.length).toBeLessThan(2_000)
  })
})

describe('CloudFront before S3', () => {
  it('answers the whole table; what is missing is told in English', () => {
    for (const { path, status, body } of TABLE) {
      const answer = cloudFront(site, path)
      expect([path, answer.status, answer.body]).toEqual([path, status, status === 404 ? 'missing en' : body])
      for (const [name, value] of headerLines(CSP)) expect(answer.headers[name.toLowerCase()]).toBe(value)
    }
  })

  it('has a function of less than the 10 kB that are allowed, in the language that is understood', () => {
    const code = readFileSync(join(site, '_deploy/cloudfront-function.js'), 'utf8')
    expect(Buffer.byteLength(code)).toBeLessThan(10_240)
    expect(code).not.toMatch(/=>|`|\b(import|require|await|class)\b/)
  })
})
