/**
 * The Content-Security-Policy of files that are not pages. A worker has the policy of its own file, not that of the
 * page. Only workers with the name prefix WASM_WORKER_PREFIX have a policy that lets them compile WebAssembly
 * (docs/decisions/0034-drawn-subtitles.md).
 */

/** Prefix of the URLs of hashed files: scripts, style sheets and fonts. No page has such a URL. */
export const HASHED_FILE_PREFIX = '/_a/'
/**
 * Prefix of the URLs of workers that compile WebAssembly. The build gives the files their names (astro.config.mjs).
 */
export const WASM_WORKER_PREFIX = `${HASHED_FILE_PREFIX}wasm-worker-`

const createFilePolicy = (scriptSources: string): string =>
  `default-src 'none'; script-src ${scriptSources}; connect-src 'self'; frame-ancestors 'none'`

/**
 * Content-Security-Policy of hashed files. Browsers apply this policy only to workers and to files that are opened as a
 * document. Over HTTP/1.1, the responses to a first visit of the home page contain this policy about 45 times, so it
 * must be short. With the policy of the pages, the visit would transfer 27 kB more, because that policy contains the
 * hashes of all inline scripts.
 */
export const HASHED_FILE_POLICY = createFilePolicy("'self'")
export const WASM_WORKER_POLICY = createFilePolicy("'self' 'wasm-unsafe-eval'")
