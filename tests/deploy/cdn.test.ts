/** Checks the CDN files that the build writes, with the request table that every server of the site must satisfy. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listSiteHeaders, renderCdnHeaders } from '../../scripts/cdn-files.ts'
import { HASHED_FILE_POLICY, WASM_WORKER_POLICY } from '../../src/lib/file-policies.ts'
import { simulateCloudFront, simulateCloudflarePages, simulateNetlify } from './cdn-simulation.ts'
import {
  API_ORIGIN,
  DEPLOY_CSP,
  DEPLOY_EMBED_CSP,
  describeCaching,
  EMBED_PATHS,
  REQUEST_TABLE,
  writeBuiltSite,
} from './request-table.ts'

let siteFolder: string
let cdnFiles: { siteFolder: string; redirectsText: string; headersText: string }
beforeAll(() => {
  siteFolder = writeBuiltSite()
  const readSiteFile = (name: string) => readFileSync(join(siteFolder, name), 'utf8')
  cdnFiles = {
    siteFolder,
    redirectsText: readSiteFile('_redirects'),
    headersText: readSiteFile('_headers'),
  }
})
afterAll(() => rmSync(siteFolder, { recursive: true, force: true }))

/**
 * True for file names such as `/movies/detail/index.html`. A CDN serves these files as pages, but REQUEST_TABLE expects
 * 404, so the tests leave out the requests for these paths.
 */
const isHtmlFile = (path: string) => path.endsWith('.html')

describe('Netlify', () => {
  it('returns the expected response to every request of request-table.ts, except for paths of HTML files', () => {
    for (const { path, status, body, cache } of REQUEST_TABLE.filter(
      (request) => !isHtmlFile(request.path),
    )) {
      const response = simulateNetlify(cdnFiles, path)
      expect([path, response.status, response.body]).toEqual([path, status, body])
      if (status === 200 && cache !== 'any')
        expect([path, describeCaching(response.headers['cache-control'])]).toEqual([path, cache])
      const pagePolicy = EMBED_PATHS.includes(path) ? DEPLOY_EMBED_CSP : DEPLOY_CSP
      const policy = path.startsWith('/_a/') ? HASHED_FILE_POLICY : pagePolicy
      for (const [name, expectedValue] of listSiteHeaders(policy))
        expect([path, response.headers[name.toLowerCase()]]).toEqual([path, expectedValue])
    }
  })

  it('proxies API, media and image requests to the API origin', () => {
    expect(simulateNetlify(cdnFiles, '/api/auth/login').proxiedUrl).toBe(`${API_ORIGIN}/api/auth/login`)
    expect(simulateNetlify(cdnFiles, '/proxy/m/clip.mp4').proxiedUrl).toBe(`${API_ORIGIN}/proxy/m/clip.mp4`)
    expect(simulateNetlify(cdnFiles, '/images/w92/drawn/poster/1.svg').proxiedUrl).toBe(
      `${API_ORIGIN}/images/w92/drawn/poster/1.svg`,
    )
  })

  it('Netlify is configured with the build command and the output folder', () => {
    const netlifyToml = readFileSync('deploy/netlify.toml', 'utf8')
    expect(netlifyToml).toMatch(/publish = "dist"/)
    expect(netlifyToml).toMatch(/npm run build/)
  })
})

describe('Cloudflare Pages', () => {
  it('returns the expected response to every request of request-table.ts, except for paths of HTML files and of /_deploy/', () => {
    for (const { path, status, body, cache } of REQUEST_TABLE.filter(
      (request) => !isHtmlFile(request.path),
    )) {
      if (path.startsWith('/_deploy/')) continue
      const response = simulateCloudflarePages(cdnFiles, path)
      expect([path, response.status, response.body]).toEqual([path, status, body])
      if (status === 200 && cache !== 'any')
        expect([path, describeCaching(response.headers['cache-control'])]).toEqual([path, cache])
    }
  })

  it('serves hashed files with a short Content-Security-Policy, which allows WebAssembly only for the scripts of WebAssembly workers', () => {
    const getPolicy = (path: string) =>
      simulateCloudflarePages(cdnFiles, path).headers['content-security-policy']
    expect(getPolicy('/_a/wasm-worker-abc123.js')).toBe(WASM_WORKER_POLICY)
    expect(getPolicy('/_a/app.abc123.js')).toBe(HASHED_FILE_POLICY)
    expect(HASHED_FILE_POLICY).not.toContain('wasm')
    expect(getPolicy('/sw.js')).toBe(DEPLOY_CSP)
  })

  it('lets only EMBED_ORIGINS frame the embedded player, in every language', () => {
    for (const path of EMBED_PATHS)
      expect([path, simulateCloudflarePages(cdnFiles, path).headers['content-security-policy']]).toEqual([
        path,
        DEPLOY_EMBED_CSP,
      ])
    for (const path of ['/watch/', '/fr/watch/'])
      expect(simulateCloudflarePages(cdnFiles, path).headers['content-security-policy']).toBe(DEPLOY_CSP)
    expect(renderCdnHeaders(DEPLOY_CSP, [])).not.toContain('embed')
  })

  it('keeps the rules within the limits of Cloudflare Pages', () => {
    expect(cdnFiles.redirectsText.trim().split('\n').length).toBeLessThan(100)
    for (const line of [...cdnFiles.redirectsText.split('\n'), ...cdnFiles.headersText.split('\n')])
      expect(line.length).toBeLessThan(2_000)
  })
})

describe('CloudFront before S3', () => {
  it('returns the expected response to every request of request-table.ts, with the English not-found page', () => {
    for (const { path, status, body } of REQUEST_TABLE) {
      const response = simulateCloudFront(siteFolder, path)
      expect([path, response.status, response.body]).toEqual([
        path,
        status,
        status === 404 ? 'missing en' : body,
      ])
      for (const [name, expectedValue] of listSiteHeaders(DEPLOY_CSP))
        expect(response.headers[name.toLowerCase()]).toBe(expectedValue)
    }
  })

  it('returns the not-found page for folders of the site, which S3 would serve or redirect', () => {
    for (const path of ['/icons', '/icons/', '/404/', '/fr/404', '/fr/404/', '/_a/']) {
      const { status, body } = simulateCloudFront(siteFolder, path)
      expect([path, status, body]).toEqual([path, 404, 'missing en'])
    }
  })

  it('forwards error replies of the API unchanged, because the distribution has no custom error responses', () => {
    for (const status of [403, 404]) {
      const apiReply = { status, body: '{"type":"error"}', headers: {} }
      expect(simulateCloudFront(siteFolder, '/api/movies/1', () => apiReply)).toEqual(apiReply)
    }
    const [, cloudFrontSteps = ''] =
      /\*\*CloudFront\*\*:\n([\s\S]*?)\n## /.exec(readFileSync('deploy/README.md', 'utf8')) ?? []
    expect(cloudFrontSteps).toContain('Add no custom error responses')
    expect(cloudFrontSteps).toMatch(/error document\s+`404\.html`/)
  })

  it('CloudFront before S3 has a headers policy for the embedded player, which only EMBED_ORIGINS may frame', () => {
    const policyText = readFileSync(join(siteFolder, '_deploy/cloudfront-headers-embed.json'), 'utf8')
    const { Name: name, CustomHeadersConfig: config } = JSON.parse(policyText)
    expect([name, config.Items[0].Value]).toEqual(['marquee-embed', DEPLOY_EMBED_CSP])
  })

  it('CloudFront before S3 has a function of less than 10 kB, which uses only JavaScript that CloudFront supports', () => {
    const functionCode = readFileSync(join(siteFolder, '_deploy/cloudfront-function.js'), 'utf8')
    expect(Buffer.byteLength(functionCode)).toBeLessThan(10_240)
    expect(functionCode).not.toMatch(/=>|`|\b(import|require|await|class)\b/)
  })
})
