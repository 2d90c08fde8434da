/**
 * Workers that compile WebAssembly. A worker has the Content-Security-Policy of its own file, so only these files allow
 * WebAssembly, and pages do not (docs/decisions/0034-drawn-subtitles.md).
 */

/** Start of the URLs of their files, which the build names (astro.config.mjs). */
export const WASM_WORKER_PREFIX = '/_a/wasm-worker-'

export const WASM_WORKER_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ')
