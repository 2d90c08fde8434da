/**
 * The service worker: serves pages, their files and images, also offline (docs/decisions/0014-service-worker.md), and
 * shows push notices. It does not handle /api/, /proxy/ and /watch/embed. The page caches API responses itself
 * (src/lib/client/read-cache.ts), because only the page knows to which profile a response belongs.
 * scripts/worker-file.ts bundles this module.
 */
import { splitLocale } from '../lib/i18n/locale-prefix.ts'
import { buildManifest } from './build-manifest.ts'
import { cacheImages, serveImage } from './image-cache.ts'
import { openPage, showNotice } from './notices.ts'
import { serveFile, servePage } from './serve-site.ts'
import { activateWorker, cacheShells, findShellKey, installWorker, isHashedFile } from './site-cache.ts'
import { workerScope } from './worker-scope.ts'

workerScope.addEventListener('install', (event) => event.waitUntil(installWorker()))
workerScope.addEventListener('activate', (event) => event.waitUntil(activateWorker()))
workerScope.addEventListener('message', (event) => {
  const { kind, prefix: localePrefix, imageUrls = [] } = event.data ?? {}
  if (kind === 'cache-shells' && localePrefix !== undefined)
    event.waitUntil(cacheShells(localePrefix).then(() => cacheImages(imageUrls)))
})

workerScope.addEventListener('push', (event) => event.waitUntil(showNotice(event)))
workerScope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(String(event.notification.data ?? '/')))
})

workerScope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return
  if (pathname.startsWith('/images/')) event.respondWith(serveImage(event))
  else if (buildManifest.files.includes(pathname) || isHashedFile(pathname))
    event.respondWith(serveFile(event))
  else if (/^\/(api|proxy)\/|^\/watch\/embed/.test(splitLocale(pathname).path)) return
  else if (findShellKey(pathname) || request.mode === 'navigate')
    event.respondWith(servePage(event, pathname))
})
