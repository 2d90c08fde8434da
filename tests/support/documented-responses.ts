/** Checks that the API reference contains the status and the media type of each response that a test receives. */
import { listErrorStatuses } from '../../server/services/operations/api-reference.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { ALL_ENDPOINTS, getEndpointName } from './endpoints.ts'

interface DocumentedEndpoint {
  endpoint: Endpoint
  pattern: RegExp
  /** Computed at the first use, because the computation takes a millisecond. */
  errorStatuses?: number[]
}

/** Endpoints by method, in the order of the router: static segments before parameters. */
const endpointsByMethod = Map.groupBy(
  ALL_ENDPOINTS.map((endpoint): DocumentedEndpoint => {
    const path = (endpoint.base + endpoint.path).replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')
    return { endpoint, pattern: new RegExp(`^${path}$`) }
  }).sort((a, b) => countParameters(a.endpoint) - countParameters(b.endpoint)),
  ({ endpoint }) => endpoint.method as string,
)

function countParameters({ path }: Endpoint): number {
  return path.split('{').length
}

const JSON_TYPE = 'application/json'

function listMediaTypes({ endpoint }: DocumentedEndpoint, status: number): readonly string[] {
  if (status >= 400) return [JSON_TYPE]
  const hasContent = status === endpoint.status && status !== 204 && status !== 303
  return hasContent ? (endpoint.replyTypes ?? [JSON_TYPE]) : ['']
}

/**
 * Throws an error when the API reference does not contain the status or the media type of the response. The status 500
 * is accepted for every call, because a fault of the server can occur in any call. Paths outside the reference are not
 * checked.
 */
export function assertDocumentedResponse(path: string, method: string, response: Response): void {
  const pathname = path.split(/[?#]/, 1)[0] ?? ''
  const documentedEndpoint = endpointsByMethod.get(method)?.find(({ pattern }) => pattern.test(pathname))
  if (!documentedEndpoint) return
  const { endpoint } = documentedEndpoint
  documentedEndpoint.errorStatuses ??= listErrorStatuses(endpoint)
  const { status, headers } = response
  const isDocumented =
    status === endpoint.status ||
    status === 500 ||
    (status === 304 && endpoint.hasEtag === true) ||
    documentedEndpoint.errorStatuses.includes(status)
  const name = `${getEndpointName(endpoint)} answers ${status}`
  if (!isDocumented) throw new Error(`${name}, which the API reference does not contain.`)
  const mediaType = headers.get('content-type')?.split(';')[0] ?? ''
  if (!listMediaTypes(documentedEndpoint, status).includes(mediaType))
    throw new Error(`${name} with the media type "${mediaType}", which the API reference does not contain.`)
}
