/** An API client for the server in this process. Like a browser, it keeps its cookie and its access token. */
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { TEST_PASSWORD, type TestServer } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses without the product's types
export interface TestResponse<T = any> {
  status: number
  body: T
  headers: Headers
}

export class TestClient {
  accessToken: string | null = null
  cookie: string | null = null
  profileId: string | null = null
  readonly server: TestServer
  constructor(server: TestServer) {
    this.server = server
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const response = await this.server.request(path, {
      method,
      headers: {
        ...(this.accessToken ? { Authorization: `Bearer ${this.accessToken}` } : {}),
        ...(this.cookie ? { Cookie: this.cookie } : {}),
        ...(this.profileId ? { 'X-Profile-Id': this.profileId } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const cookie = response.headers.get('set-cookie')?.split(';')[0]
    if (cookie) this.cookie = cookie.endsWith('=') ? null : cookie
    const responseText = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const parsedBody = isJson ? JSON.parse(responseText) : { text: responseText }
    return { status: response.status, body: responseText ? parsedBody : null, headers: response.headers }
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body: unknown = {}) => this.send('POST', path, body)
  put = (path: string, body: unknown = {}) => this.send('PUT', path, body)
  patch = (path: string, body: unknown = {}) => this.send('PATCH', path, body)
  delete = (path: string, body?: unknown) => this.send('DELETE', path, body)

  async login(email: string, password = TEST_PASSWORD): Promise<TestResponse> {
    const response = await this.post('/api/auth/login', { email, password })
    if (response.status === 200) this.accessToken = response.body.access_token
    return response
  }
}

/** Returns the path of an endpoint with its parameters filled in. A missing parameter is replaced by `none`. */
export function fillEndpointPath(endpoint: Endpoint, pathParams: Record<string, string> = {}): string {
  return endpoint.base + endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => pathParams[name] ?? 'none')
}
