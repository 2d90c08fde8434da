import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { createErrorResponse } from './http/error-response.ts'
import { mountRoutes } from './http/mount.ts'
import { setSecurityHeaders } from './http/response-headers.ts'
import type { Route } from './http/route.ts'
import { accountRoutes } from './routes/accounts.ts'
import { adminRoutes } from './routes/admin.ts'
import { dashboardRoutes } from './routes/admin-dashboard.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authRoutes } from './routes/auth.ts'
import { createBackupApp } from './routes/backup-file.ts'
import { binRoutes } from './routes/bin.ts'
import { calendarRoutes } from './routes/calendar.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { deviceSignInRoutes } from './routes/device-sign-in.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { emailChangeRoutes } from './routes/email-change.ts'
import { familyRoutes } from './routes/family.ts'
import { identityRoutes } from './routes/identities.ts'
import { createImageApp } from './routes/images.ts'
import { listRoutes } from './routes/lists.ts'
import { createMediaApp } from './routes/media/media.ts'
import { createMetricsApp } from './routes/metrics.ts'
import { noticeRoutes } from './routes/notices.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { passwordResetRoutes } from './routes/password-reset.ts'
import { profileRoutes } from './routes/profiles.ts'
import { remoteRoutes } from './routes/remote.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { streamRoutes } from './routes/stream.ts'
import { systemRoutes } from './routes/system.ts'
import { trackingRoutes } from './routes/tracking.ts'
import { transferRoutes } from './routes/transfer.ts'
import { viewingTimeRoutes } from './routes/viewing-time.ts'
import { watchRequestRoutes } from './routes/watch-requests.ts'
import type { Deps } from './services/deps.ts'
import { JOB_HANDLERS } from './services/jobs/job-handlers.ts'
import { startJobWorker } from './services/jobs/job-worker.ts'
import { buildOpenApi } from './services/operations/api-reference.ts'
import { renderReferencePage } from './services/operations/api-reference-page.ts'
import { logStorageFaults } from './services/operations/readiness.ts'

/** Every API route of the server. tests/server/contract.test.ts compares this list with the contract. */
export const ROUTES: readonly Route[] = [
  ...systemRoutes,
  ...authRoutes,
  ...apiKeyRoutes,
  ...deviceSignInRoutes,
  ...identityRoutes,
  ...passkeyRoutes,
  ...emailChangeRoutes,
  ...passwordResetRoutes,
  ...secondFactorRoutes,
  ...remoteRoutes,
  ...accountRoutes,
  ...profileRoutes,
  ...viewingTimeRoutes,
  ...watchRequestRoutes,
  ...familyRoutes,
  ...catalogueRoutes,
  ...discoveryRoutes,
  ...trackingRoutes,
  ...listRoutes,
  ...noticeRoutes,
  ...binRoutes,
  ...calendarRoutes,
  ...transferRoutes,
  ...streamRoutes,
  ...adminRoutes,
  ...dashboardRoutes,
]

const OPENAPI_PATH = '/api/openapi.json'
const REFERENCE_PATH = '/api/docs'

const UPLOAD_MATCHERS = ROUTES.map(({ endpoint }) => endpoint)
  .filter(({ upload }) => upload)
  .map(({ method, base, path }) => ({
    method,
    path: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`),
  }))

/** True for the requests that upload a file. On a slow connection, uploads may take longer than other requests. */
export const isUploadRequest = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>) =>
  UPLOAD_MATCHERS.some((uploadMatcher) => uploadMatcher.method === method && uploadMatcher.path.test(url))

/**
 * Starts the job worker, and returns the app that serves the API, images, media, backups and metrics. main.ts adds the
 * site.
 */
export function createApp(deps: Deps): Hono {
  const app = new Hono()
  app.use('*', setSecurityHeaders(deps.config))
  app.onError((error, c) => createErrorResponse(c, error, deps))
  startJobWorker(deps, JOB_HANDLERS)
  logStorageFaults(deps)
  app.route('/', createImageApp(deps))
  app.route('/', createMediaApp(deps))
  app.route('/', createBackupApp(deps))
  app.route('/', createMetricsApp(deps))
  const endpoints = ROUTES.map((route) => route.endpoint)
  const { siteName } = deps.config
  // The OpenAPI document and its reference page are public and expensive to build, so each is built only once.
  // All responses share the bytes of the OpenAPI document, because it is large.
  let openApi: Uint8Array<ArrayBuffer> | undefined
  let referencePage: string | undefined
  app.get(OPENAPI_PATH, (c) => {
    openApi ??= new TextEncoder().encode(JSON.stringify(buildOpenApi(endpoints, siteName)))
    return c.body(openApi, 200, { 'Content-Type': 'application/json' })
  })
  app.get(REFERENCE_PATH, (c) => {
    referencePage ??= renderReferencePage(endpoints, deps.config)
    return c.html(referencePage)
  })
  app.route('/', mountRoutes(ROUTES, deps, [OPENAPI_PATH, REFERENCE_PATH]) as unknown as Hono)
  return app
}
