import { statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import i18next from 'astro-i18next'

/** The server in front of `astro dev`: scripts/dev.ts sets it. */
const api = process.env.MARQUEE_API

/**
 * In the browser a contract is who, how and where: its schemas stay on the server, which does the validating. Each
 * contract module is replaced by the data of its endpoints (docs/decisions/0004-contracts-are-data-in-the-browser.md).
 */
function contractsAsData() {
  const folder = fileURLToPath(new URL('./src/lib/contract/', import.meta.url))
  const plain = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string')
  const slim = ({ access, method, path, base }) => ({ access, method, path, base })
  return {
    name: 'marquee:contracts-as-data',
    enforce: 'pre',
    async load(id) {
      const [file] = id.split('?')
      if (!file.startsWith(folder)) return null
      const exports = Object.entries(await import(`${pathToFileURL(file)}?at=${statSync(file).mtimeMs}`))
      return exports
        .flatMap(([name, value]) => {
          if (value?.method && value.path) return [`export const ${name} = ${JSON.stringify(slim(value))}`]
          return plain(value) ? [`export const ${name} = ${JSON.stringify(value)}`] : []
        })
        .join('\n')
    },
  }
}

const DASHBOARD = 'islands\\/dashboard|lib\\/stores\\/admin|lib\\/contract\\/admin'
const COMMON = new RegExp(`src\\/(?!${DASHBOARD})(lib|ui|islands)|lucide|nanostores`)
/** What comes after the first picture, wherever it is used: never in the files that pages share. */
const LATER =
  'islands\\/(errors|home\\/(More|Customise|Reason|Synopsis)|detail\\/Marks|media\\/(Preview|preview|show-preview|rest|hold|more-button|second-video|Endless))|lib\\/(client\\/shelf|stores\\/(taste|list-bulk|preview|preview-film|synopsis)|rules\\/(preview-place|next-press|player-quality)|contract\\/stream)|ui\\/Switch'
const FORMS =
  /src\/(islands\/(auth|profiles\/(?!Avatar\.)|account\/(?!Tastes|tastes)|onboarding|browse)|lib\/(rules\/password|stores\/browse)|ui\/(Field|Tabs))/
/** Of pages that choose something but have no forms: a title's, and the list. */
const CHOICES = 'ui\\/Select|islands\\/(detail\\/EpisodeStill|media\\/network-name)'
const TITLES = new RegExp(
  `src\\/(?!${DASHBOARD}|${LATER}|${CHOICES}|${FORMS.source.slice(5)})(lib|ui|islands)`,
)

export default defineConfig({
  output: 'static',
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  integrations: [
    i18next({ configPath: fileURLToPath(new URL('./astro-i18next.config.cjs', import.meta.url)) }),
    react(),
  ],
  /* src/layouts/instant.ts knows that a thousand addresses are one shell. */
  prefetch: false,
  build: { inlineStylesheets: 'never', assets: '_a' },
  vite: {
    plugins: [tailwindcss(), contractsAsData()],
    server: api
      ? { proxy: Object.fromEntries(['/api', '/proxy', '/images'].map((path) => [path, api])) }
      : {},
    build: {
      assetsInlineLimit: 0,
      /*
       * What nearly every page uses is one file instead of thirty: small files compress badly. The dashboard's own
       * parts are shared by its many sections alone, and stay out of it.
       */
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              /* React's client is one file, whoever else makes a root. */
              { name: 'client', test: /node_modules\/(react-dom|@astrojs\/react|scheduler)\//, priority: 3 },
              { name: 'common', test: COMMON, minShareCount: 9, priority: 2 },
              /* Few files: six connections are all there are, and the first call of the page waits for one. */
              { name: 'titles', test: TITLES, minShareCount: 2, priority: 1 },
              { name: 'forms', test: FORMS, minShareCount: 2, priority: 1 },
              { name: 'choices', test: new RegExp(`src\\/(${CHOICES})`), minShareCount: 2, priority: 1 },
              { name: 'titles', test: /lucide/, minShareCount: 5, priority: 1 },
              { name: 'icons', test: /lucide/, minShareCount: 3, priority: 0 },
            ],
          },
        },
      },
    },
  },
})
