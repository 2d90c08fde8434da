/** A server that answers as TMDB does, from bodies given or recorded, and misbehaves when told to. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export type Fault =
  | { status: number; retryAfter?: string }
  /** The connection ends in the middle of the body. */
  | 'cut'
  /** Not JSON. */
  | 'html'
  /** JSON, but not what was asked for. */
  | 'odd'

export class Replay {
  /** By path, as in `/movie/603`. */
  readonly bodies = new Map<string, object>()
  /** Whole files, by name. */
  readonly files = new Map<string, Buffer>()
  /** What goes wrong with a path this time; `times` counts from 1. */
  fault: (path: string, times: number) => Fault | undefined = () => undefined
  token = 'good-token'
  seen: string[] = []
  #times = new Map<string, number>()
  #server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    this.#answer(url, request.headers.authorization ?? '', response)
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  forget(): void {
    this.seen = []
    this.#times.clear()
  }

  idFile(name: string, ids: object[]): void {
    this.files.set(name, gzipSync(ids.map((one) => JSON.stringify(one)).join('\n')))
  }

  #answer(url: URL, authorization: string, response: ServerResponse): void {
    const path = url.pathname.replace(/^\/3(?=\/)/, '')
    this.seen.push(`${path}${url.searchParams.has('start_date') ? `?${url.searchParams}` : ''}`)
    const times = (this.#times.get(path) ?? 0) + 1
    this.#times.set(path, times)
    const fault = this.fault(path, times)
    const file = this.files.get(path.slice(path.lastIndexOf('/') + 1))
    const body = this.#bodyOf(path, url.searchParams.get('append_to_response'))
    if (fault) misbehave(response, fault)
    else if (file) response.end(file)
    else if (authorization !== `Bearer ${this.token}`) send(response, 401, { status_code: 7 })
    else if (body) send(response, 200, body)
    else send(response, 404, { status_code: 34, status_message: 'could not be found', success: false })
  }

  /** As TMDB does: the appended answers under their names, without their ids. */
  #bodyOf(path: string, appended: string | null): object | undefined {
    const body = this.bodies.get(path)
    if (!body) return undefined
    const whole: Record<string, unknown> = { ...body }
    for (const name of appended?.split(',') ?? []) {
      const { id: _, ...part } = (this.bodies.get(`${path}/${name}`) ?? { id: 0 }) as { id: unknown }
      if (this.bodies.has(`${path}/${name}`)) whole[name] = part
    }
    return whole
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json;charset=utf-8' }).end(JSON.stringify(body))
}

function misbehave(response: ServerResponse, fault: Fault): void {
  if (fault === 'html') response.writeHead(200).end('<html>busy')
  else if (fault === 'odd') send(response, 200, ['not', 'a', 'title'])
  else if (fault === 'cut') {
    response.writeHead(200, { 'Content-Length': '5000' }).write('{"id": 1, "title": "Half')
    setTimeout(() => response.destroy(), 5)
  } else {
    response.writeHead(fault.status, fault.retryAfter ? { 'Retry-After': fault.retryAfter } : {})
    response.end('{"status_code":25,"status_message":"Your request count is over the allowed limit."}')
  }
}
