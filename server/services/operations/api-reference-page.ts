/** The HTML page `/api/docs`, which lists every call of the contract. */
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import type { Config } from '../../core/config.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import { API_KEY_PREFIX } from '../auth/api-key-access.ts'
import { API_CONVENTIONS } from './api-conventions.ts'
import { getProperties, listParameters, toRequestSchema } from './api-schemas.ts'

/** Returns the HTML of a Markdown text that contains no other markup than code. */
const renderMarkdownCode = (markdown: string) =>
  escapeMarkup(markdown).replace(/`([^`]+)`/g, '<code>$1</code>')

function renderApiKeyHelp({ origin }: URL): string {
  const example = [
    `curl -H "Authorization: Bearer ${API_KEY_PREFIX}…" "${origin}/api/movies?limit=5"`,
    `curl -H "Authorization: Bearer ${API_KEY_PREFIX}…" "${origin}/api/profile"`,
    `curl -X PUT -H "Authorization: Bearer ${API_KEY_PREFIX}…" -d in_watchlist=true "${origin}/api/profile/PROFILE_ID/watchlist/movie/MOVIE_ID"`,
    `curl -N -H "Authorization: Bearer ${API_KEY_PREFIX}…" "${origin}/api/events"`,
  ].join('\n')
  return `<h2>API keys</h2><p>Create a key under Account, Security. It may make the calls of its scopes, for one profile or for all profiles without a PIN; <code>X-Profile-Id</code> names the acting profile where the path does not. <code>X-Time-Zone</code> names the time zone whose date decides what is released; without it, the date is that of UTC. At most 300 requests per minute and key.</p><pre>${escapeMarkup(example)}</pre>`
}

/**
 * Returns an HTML page without scripts and styles that lists every call with its access level, scope and
 * parameters.
 */
export function renderReferencePage(
  endpoints: readonly Endpoint[],
  { siteName, publicUrl }: Pick<Config, 'siteName' | 'publicUrl'>,
): string {
  const tableRows = [...endpoints]
    .sort((a, b) => (a.base + a.path).localeCompare(b.base + b.path))
    .map((endpoint) => {
      const queryParameters = listParameters(endpoint)
        .filter((parameter) => parameter['in'] === 'query')
        .map((parameter) => `<code>${escapeMarkup(String(parameter['name']))}</code>`)
      const bodyFields = Object.keys(getProperties(toRequestSchema(endpoint.body))).map(
        (fieldName) => `<code>${escapeMarkup(fieldName)}</code>`,
      )
      const cells = [
        `<code>${endpoint.method} ${escapeMarkup(endpoint.base + endpoint.path)}</code>`,
        escapeMarkup(endpoint.access),
        escapeMarkup(endpoint.scope ?? ''),
        escapeMarkup(endpoint.summary),
        queryParameters.join(' '),
        bodyFields.join(' '),
        String(endpoint.status),
      ]
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    })
  const headings = ['Call', 'Access', 'API key scope', 'What it does', 'Query', 'Body', 'Status']
    .map((name) => `<th align="start">${name}</th>`)
    .join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(siteName)} API</title><h1>${escapeMarkup(siteName)} API</h1><p>Machine-readable: <a href="/api/openapi.json">openapi.json</a>. ${renderMarkdownCode(API_CONVENTIONS)}</p>${renderApiKeyHelp(publicUrl)}<table border="1" cellpadding="6"><thead><tr>${headings}</tr></thead><tbody>${tableRows.join('')}</tbody></table></html>`
}
