import type { Endpoint, ParamsOf, QueryOf } from './contract/endpoint.ts'

export interface EndpointUrlInput<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: QueryOf<E>
}

/** Returns the URL of a request. Omits query values that are empty or null. A list becomes a repeated query key. */
export function buildEndpointUrl<E extends Endpoint>(endpoint: E, input: EndpointUrlInput<E>): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const searchParams = new URLSearchParams()
  for (const [key, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    for (const queryValue of Array.isArray(value) ? value : [value]) {
      if (queryValue !== '' && queryValue !== null && queryValue !== undefined)
        searchParams.append(key, String(queryValue))
    }
  }
  return `${endpoint.base}${path}${searchParams.size > 0 ? `?${searchParams}` : ''}`
}
