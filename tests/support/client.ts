/** A device: keeps its cookie and its access token, as a browser would. */
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { PASSWORD, type TestServer } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a stranger would, without our types
export interface Answer<T = any> {
  status: number
  body: T
  headers: Headers
}

export class Device {
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
  ): Promise<Answer> {
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
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : null, headers: response.headers }
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body: unknown = {}) => this.send('POST', path, body)
  put = (path: string, body: unknown = {}) => this.send('PUT', path, body)
  patch = (path: string, body: unknown = {}) => this.send('PATCH', path, body)
  delete = (path: string, body?: unknown) => this.send('DELETE', path, body)

  async login(email: string, password = PASSWORD): Promise<Answer> {
    const answer = await this.post('/api/auth/login', { email, password })
    if (answer.status === 200) this.accessToken = answer.body.access_token
    return answer
  }
}

/** The path of an endpoint with its parameters filled in. */
export function pathOf(endpoint: Endpoint, params: Record<string, string> = {}): string {
  return endpoint.base + endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'none')
}
