/**
 * An API client that reaches a server over the network. The client of test-client.ts calls a server in this process.
 */

// biome-ignore lint/suspicious/noExplicitAny: tests read responses without the product's types
export interface HttpTestResponse<T = any> {
  /** HTTP status; 0 if the connection failed. */
  status: number
  body: T
  headers: Headers
  durationMs: number
}

export class HttpTestClient {
  url: string
  accessToken: string | null = null
  cookie: string | null = null
  profileId: string | null = null

  constructor(url: string) {
    this.url = url
  }

  /** Returns a client with the same session for another server process. */
  withServer(url: string): HttpTestClient {
    return Object.assign(new HttpTestClient(url), {
      accessToken: this.accessToken,
      cookie: this.cookie,
      profileId: this.profileId,
    })
  }

  async send(method: string, path: string, body?: unknown, timeoutMs = 30_000): Promise<HttpTestResponse> {
    const startedAtMs = performance.now()
    const headers = {
      ...(this.accessToken ? { Authorization: `Bearer ${this.accessToken}` } : {}),
      ...(this.cookie ? { Cookie: this.cookie } : {}),
      ...(this.profileId ? { 'X-Profile-Id': this.profileId } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    try {
      const response = await fetch(this.url + path, {
        method,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const cookie = response.headers.get('set-cookie')?.split(';')[0]
      if (cookie) this.cookie = cookie.endsWith('=') ? null : cookie
      const responseText = await response.text()
      const durationMs = performance.now() - startedAtMs
      return { status: response.status, body: readJson(responseText), headers: response.headers, durationMs }
    } catch (error) {
      return {
        status: 0,
        body: String(error),
        headers: new Headers(),
        durationMs: performance.now() - startedAtMs,
      }
    }
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body: unknown = {}) => this.send('POST', path, body)
  put = (path: string, body: unknown = {}) => this.send('PUT', path, body)
  patch = (path: string, body: unknown = {}) => this.send('PATCH', path, body)
  delete = (path: string, body?: unknown) => this.send('DELETE', path, body)

  async login(email: string, password: string): Promise<HttpTestResponse> {
    const response = await this.post('/api/auth/login', { email, password })
    if (response.status === 200) this.accessToken = response.body.access_token
    return response
  }
}

function readJson(responseText: string): unknown {
  try {
    return responseText ? JSON.parse(responseText) : null
  } catch {
    return responseText
  }
}
