/** A device that speaks to a server over the network, as a browser would; see client.ts for the one in the process. */

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a stranger would, without our types
export interface Reply<T = any> {
  /** 0 when the connection failed. */
  status: number
  body: T
  headers: Headers
  ms: number
}

export class Visitor {
  url: string
  accessToken: string | null = null
  cookie: string | null = null
  profileId: string | null = null

  constructor(url: string) {
    this.url = url
  }

  /** The same device, asking another process. */
  at(url: string): Visitor {
    return Object.assign(new Visitor(url), {
      accessToken: this.accessToken,
      cookie: this.cookie,
      profileId: this.profileId,
    })
  }

  async send(method: string, path: string, body?: unknown, timeoutMs = 30_000): Promise<Reply> {
    const started = performance.now()
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
      const text = await response.text()
      const ms = performance.now() - started
      return { status: response.status, body: readJson(text), headers: response.headers, ms }
    } catch (error) {
      return { status: 0, body: String(error), headers: new Headers(), ms: performance.now() - started }
    }
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body: unknown = {}) => this.send('POST', path, body)
  put = (path: string, body: unknown = {}) => this.send('PUT', path, body)
  patch = (path: string, body: unknown = {}) => this.send('PATCH', path, body)
  delete = (path: string, body?: unknown) => this.send('DELETE', path, body)

  async login(email: string, password: string): Promise<Reply> {
    const answer = await this.post('/api/auth/login', { email, password })
    if (answer.status === 200) this.accessToken = answer.body.access_token
    return answer
  }
}

function readJson(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return text
  }
}
