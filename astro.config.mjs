import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import i18next from 'astro-i18next'
import { inlineScripts } from './scripts/bundle-script.ts'
import { contractsAsData } from './scripts/contracts-as-data.ts'
import { developmentServer } from './scripts/development-server.ts'
import { CHUNK_GROUPS } from './scripts/site-chunks.ts'

/** URL of the API server during `astro dev`, set by scripts/dev.ts. */
const apiUrl = process.env.MARQUEE_API

export default defineConfig({
  output: 'static',
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  integrations: [
    i18next({ configPath: fileURLToPath(new URL('./astro-i18next.config.cjs', import.meta.url)) }),
    react(),
  ],
  /*
   * Astro would prefetch a page for each title, but all titles share one shell. src/page-scripts/shell-prefetch.ts
   * fetches each shell once instead.
   */
  prefetch: false,
  build: { inlineStylesheets: 'never', assets: '_a' },
  vite: {
    plugins: [tailwindcss(), contractsAsData(), inlineScripts(), developmentServer()],
    server: apiUrl
      ? { proxy: Object.fromEntries(['/api', '/proxy', '/images'].map((path) => [path, apiUrl])) }
      : {},
    /*
     * The server recognises the worker by the file name below, and sends the worker with a policy that allows
     * WebAssembly (src/lib/file-policies.ts).
     */
    worker: {
      format: 'es',
      rolldownOptions: {
        output: {
          entryFileNames: '_a/wasm-worker-[hash].js',
          /*
           * The build of the pages uses the same pattern. A file that pages and the worker use is therefore written
           * only once.
           */
          assetFileNames: '_a/[name].[hash][extname]',
        },
      },
    },
    build: {
      assetsInlineLimit: 0,
      rolldownOptions: {
        /* Inlines exported constants. Otherwise shared files would contain constants that only one page uses. */
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        output: {
          codeSplitting: { groups: CHUNK_GROUPS },
        },
      },
    },
  },
})
