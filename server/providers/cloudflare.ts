/** Cloudflare's purge call: POST /zones/{zone}/purge_cache. */
const API = 'https://api.cloudflare.com/client/v4'
const TIMEOUT_MS = 10_000

/** Throws when Cloudflare does not confirm. */
export async function purgeZone(
  { zoneId, apiToken }: { zoneId: string; apiToken: string },
  api = API,
): Promise<void> {
  const response = await fetch(`${api}/zones/${encodeURIComponent(zoneId)}/purge_cache`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ purge_everything: true }),
  })
  const body = (await response.json().catch(() => ({}))) as { success?: boolean }
  if (!response.ok || body.success !== true) throw new Error(`Cloudflare answered ${response.status}`)
}
