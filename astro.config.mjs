import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import i18next from 'astro-i18next'
import { inlineScripts } from './scripts/bundle-script.ts'
import { contractsAsData } from './scripts/contracts-as-data.ts'
import { developmentServer } from './scripts/development-server.ts'

/** URL of the API server during `astro dev`, set by scripts/dev.ts. */
const apiUrl = process.env.MARQUEE_API

const DASHBOARD_MODULES = 'islands\\/dashboard|lib\\/stores\\/admin|lib\\/contract\\/admin'
/** Modules that several pages share, but that the first view of the home page does not need. */
const LATE_MODULES =
  'ui\\/(Dialog|Field|QrCode|Select|Switch)|islands\\/(format-device-name|second-factor|media\\/FeedbackButtons)|lib\\/(client\\/(device-code-)?events|contract\\/(device-sign-in|feedback|invitations|lists|passkeys|ratings|second-factor)|rules\\/(dashboard-sections|user-code)|stores\\/(device-sign-in|feedback|named-list|passkey|ratings|second-factor|sign-in|sign-up))'
const COMMON_MODULES = new RegExp(
  `src\\/(?!${DASHBOARD_MODULES}|${LATE_MODULES})(lib|ui|islands)|lucide(?!.*\\/eye)|nanostores`,
)
/** Modules that are loaded after the first render. They must not be part of shared chunks. */
const DEFERRED_MODULES =
  'islands\\/(browse\\/GuideFilter|errors|family|lists|search\\/|ratings|seen|history\\/|calendar\\/|statistics\\/|home\\/(DeferredHomeSection|CustomiseHomeDialog|RecommendationReason|HeroSynopsis)|detail\\/(TitleEndTime|TrackingControls|NotInLibrary|SeenControls|TitleSeenControls|RecapButton)|media\\/(EndTime|Preview|preview|TitlePreview|show-preview|hover-intent|long-press|more-actions-button|extra-video|InfiniteScroll))|lib\\/(client\\/read-cache|stores\\/(account-events|search\\.|family|group|parent|named-list|availability|calendar|recap|statistics|viewings|pending-marks|history-edits|watch-state|profile-changes|recommendation-settings|watchlist-bulk|preview|preview-source|hero-synopsis|kids-interface|viewing-time|viewing-limits|watch-requests)|i18n\\/format-clock-time|rules\\/(end-by|maturity|local-time|viewing-time|calendar-days|job-groups|list-filter|tracking-limits|preview-position|play-action|player-quality)|contract\\/(calendar|family|viewing-time|watch-requests|lists|playback|statistics|viewings))|ui\\/(Keypad|PinInput|Switch)'
const FORM_MODULES =
  /src\/(islands\/(auth|profiles\/(?!Avatar\.)|account\/(?!TasteTab|tastes)|onboarding|browse\/(?!GuideFilter))|lib\/(rules\/(password|title-options)|stores\/browse)|ui\/(Field|Tabs))/
/** Modules of pages with selects but without forms: title pages and My List. */
const SELECT_MODULES =
  'ui\\/Select|lib\\/(i18n\\/format-names|rules\\/spoilers)|islands\\/(detail\\/(EpisodeStill|EpisodeOverview)|media\\/network-name)'
const TITLE_MODULES = new RegExp(
  `src\\/(?!${DASHBOARD_MODULES}|${LATE_MODULES}|${DEFERRED_MODULES}|${SELECT_MODULES}|${FORM_MODULES.source.slice(5)})(lib|ui|islands)`,
)

export default defineConfig({
  output: 'static',
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  integrations: [
    i18next({ configPath: fileURLToPath(new URL('./astro-i18next.config.cjs', import.meta.url)) }),
    react(),
  ],
  /* src/page-scripts/shell-prefetch.ts prefetches instead, because all titles share one shell. */
  prefetch: false,
  build: { inlineStylesheets: 'never', assets: '_a' },
  vite: {
    resolve: {
      alias: [
        {
          find: '../createLucideIcon.mjs',
          replacement: fileURLToPath(new URL('./src/ui/create-icon.ts', import.meta.url)),
        },
      ],
    },
    plugins: [tailwindcss(), contractsAsData(), inlineScripts(), developmentServer()],
    server: apiUrl
      ? { proxy: Object.fromEntries(['/api', '/proxy', '/images'].map((path) => [path, apiUrl])) }
      : {},
    build: {
      assetsInlineLimit: 0,
      /*
       * Modules that most pages use are bundled into one chunk, because many small files compress badly. Modules of the
       * dashboard are shared only by its sections, so they are excluded.
       */
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              /* All islands share one copy of the React runtime. */
              { name: 'client', test: /node_modules\/(react-dom|@astrojs\/react|scheduler)\//, priority: 3 },
              { name: 'common', test: COMMON_MODULES, minShareCount: 10, priority: 2 },
              /* Few chunks, because a browser opens only six connections and the first API request needs one. */
              { name: 'titles', test: TITLE_MODULES, minShareCount: 2, priority: 1 },
              { name: 'forms', test: FORM_MODULES, minShareCount: 2, priority: 1 },
              {
                name: 'choices',
                test: new RegExp(`src\\/(${SELECT_MODULES})`),
                minShareCount: 2,
                priority: 1,
              },
              {
                name: 'feedback',
                test: /src\/.*\/(feedback|FeedbackButtons)\.tsx?/,
                minShareCount: 2,
                priority: 0,
              },
              { name: 'titles', test: /lucide(?!.*\/eye)/, minShareCount: 5, priority: 1 },
              { name: 'icons', test: /lucide/, minShareCount: 3, priority: 0 },
            ],
          },
        },
      },
    },
  },
})
