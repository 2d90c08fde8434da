/** Cloudflare's purge call: POST /zones/{zone}/purge_cache (developers.cloudflare.com/api, "Purge Cached Content"). */
const API = 'https://api.cloudflare.com/client/v4'
const TIMEOUT_MS = 10_000

export interface Zone {
  zoneId: string
  apiToken: string
  /** Where its API is; another one in tests and behind a gateway. */
  api?: string | undefined
}

/** What Cloudflare said when it did not confirm; its codes and words are for the log. */
export class CloudflareRefused extends Error {}

/** Throws when Cloudflare does not confirm. */
export async function purgeZone(
  { zoneId, apiToken, api = API }: Zone,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(`${api}/zones/${encodeURIComponent(zoneId)}/purge_cache`, {
    method: 'POST',
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ purge_everything: true }),
  })
  const body = (await response.json().catch(() => ({}))) as {
    success?: boolean
    errors?: { code: number; message: string }[]
  }
  if (response.ok && body.success === true) return
  const said = (body.errors ?? []).map(({ code, message }) => `${code} ${message}`).join('; ')
  throw new CloudflareRefused(`Cloudflare answered ${response.status} ${said}`.trim())
}
