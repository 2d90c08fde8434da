/**
 * Purges the Cloudflare cache: POST /zones/{zone}/purge_cache (developers.cloudflare.com/api, "Purge Cached Content").
 */
import { combineSignals } from '../core/combine-signals.ts'

const API_URL = 'https://api.cloudflare.com/client/v4'
const REQUEST_TIMEOUT_MS = 10_000

export interface CloudflareZone {
  zoneId: string
  apiToken: string
  /** Base URL of the API; differs in tests and behind a gateway. */
  apiUrl?: string | undefined
}

/**
 * Thrown when Cloudflare does not confirm the purge. The message has Cloudflare's error codes and messages, for the
 * log.
 */
export class CloudflareError extends Error {}

/**
 * Purges everything that Cloudflare has cached for the zone. Throws `CloudflareError` if the response does not confirm
 * the purge, and the error of `fetch` if there is no response.
 */
export async function purgeCloudflareZone(
  { zoneId, apiToken, apiUrl = API_URL }: CloudflareZone,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const response = await fetch(`${apiUrl}/zones/${encodeURIComponent(zoneId)}/purge_cache`, {
    method: 'POST',
    redirect: 'error',
    signal: combineSignals(signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)),
    headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ purge_everything: true }),
  })
  const body = (await response.json().catch(() => ({}))) as {
    success?: boolean
    errors?: { code: number; message: string }[]
  }
  if (response.ok && body.success === true) return
  const errorDetails = (body.errors ?? []).map(({ code, message }) => `${code} ${message}`).join('; ')
  throw new CloudflareError(`Cloudflare responded with ${response.status} ${errorDetails}`.trim())
}
