import type { Plugin } from 'vite'
import { matchPage } from '../src/lib/routes.ts'

/**
 * Replaces the service worker that a production build has installed at the same URL. The replacement has no fetch
 * handler, so it caches nothing.
 */
const EMPTY_SERVICE_WORKER = "addEventListener('install', () => skipWaiting())"

/**
 * Vite plugin for `npm run dev`. For URLs with a slug, such as `/movies/arrival`, it serves the shell of the
 * page, as the server and CDNs do for a build. It also serves a service worker that does nothing.
 */
export function developmentServer(): Plugin {
  return {
    name: 'marquee:development-server',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const url = request.url ?? '/'
        const [path = '/'] = url.split('?', 1)
        if (path === '/sw.js') {
          response.setHeader('Content-Type', 'text/javascript')
          response.end(EMPTY_SERVICE_WORKER)
          return
        }
        const pageMatch = matchPage(path)
        if (pageMatch?.slug)
          request.url = `/${pageMatch.shell.replace(/index\.html$/, '')}${url.slice(path.length)}`
        next()
      })
    },
  }
}
