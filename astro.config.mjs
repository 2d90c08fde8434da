import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import i18next from 'astro-i18next'

/** The server in front of `astro dev`: scripts/dev.ts sets it. */
const api = process.env.MARQUEE_API

export default defineConfig({
  output: 'static',
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  integrations: [
    i18next({ configPath: fileURLToPath(new URL('./astro-i18next.config.cjs', import.meta.url)) }),
    react(),
  ],
  prefetch: { prefetchAll: false, defaultStrategy: 'hover' },
  build: { inlineStylesheets: 'never', assets: '_a' },
  vite: {
    plugins: [tailwindcss()],
    server: api
      ? { proxy: Object.fromEntries(['/api', '/proxy', '/images'].map((path) => [path, api])) }
      : {},
    build: { assetsInlineLimit: 0 },
  },
})
