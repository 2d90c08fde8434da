/**
 * Workers that compile WebAssembly. A worker has the Content-Security-Policy of its own file, not the policy of
 * the page. So only the worker files allow WebAssembly, and pages do not (docs/decisions/0034-drawn-subtitles.md).
 */

/** Prefix of the URLs of these files. The build gives the files their names (astro.config.mjs). */
export const WASM_WORKER_PREFIX = '/_a/wasm-worker-'

export const WASM_WORKER_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ')
