/** A TMDB server for tests: sends given or recorded bodies, and simulates the faults that a test requests. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export type TmdbFault =
  | { status: number; retryAfter?: string }
  /** Closes the connection in the middle of the body. */
  | 'cut'
  /** Sends HTML instead of JSON. */
  | 'html'
  /** Sends JSON of an unexpected structure. */
  | 'unexpected'
  /** Lets the test send the response. */
  | { respond: (response: ServerResponse) => void }

export class TmdbReplayServer {
  /** Response bodies by path, such as `/movie/603`. */
  readonly bodies = new Map<string, object>()
  /** Bodies by language and path, such as `fr /tv/2001/season/1`. They have priority over `bodies`. */
  readonly translatedBodies = new Map<string, object>()
  /** Daily ID exports by file name. */
  readonly files = new Map<string, Buffer>()
  /** Returns the fault for a request, or undefined. `attempt` counts the requests of that path from 1. */
  findFault: (path: string, attempt: number) => TmdbFault | undefined = () => undefined
  acceptedToken = 'good-token'
  /**
   * Paths of all requests since the last `clearRequests`. The path of a request for a list of changes includes the
   * query.
   */
  requestedPaths: string[] = []
  #attempts = new Map<string, number>()
  #server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    this.#respond(url, request.headers.authorization ?? '', response)
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  clearRequests(): void {
    this.requestedPaths = []
    this.#attempts.clear()
  }

  /** Adds a daily ID export: compressed, one JSON object per line. */
  addIdFile(fileName: string, idRecords: object[]): void {
    this.files.set(fileName, gzipSync(idRecords.map((idRecord) => JSON.stringify(idRecord)).join('\n')))
  }

  #respond(url: URL, authorization: string, response: ServerResponse): void {
    const path = url.pathname.replace(/^\/3(?=\/)/, '')
    this.requestedPaths.push(`${path}${url.searchParams.has('start_date') ? `?${url.searchParams}` : ''}`)
    const attempt = (this.#attempts.get(path) ?? 0) + 1
    this.#attempts.set(path, attempt)
    const fault = this.findFault(path, attempt)
    const idFileContent = this.files.get(path.slice(path.lastIndexOf('/') + 1))
    const body = this.#buildBody(path, url.searchParams)
    if (fault) sendFault(response, fault)
    else if (idFileContent) response.end(idFileContent)
    else if (authorization !== `Bearer ${this.acceptedToken}`) sendJson(response, 401, { status_code: 7 })
    else if (body) sendJson(response, 200, body)
    else sendJson(response, 404, { status_code: 34, status_message: 'could not be found', success: false })
  }

  /**
   * Returns the body for a path, or undefined if the path has no body. Like TMDB, adds one property for each sub-path
   * in the parameter `append_to_response`. The property has the name of the sub-path, and its value is the response of
   * the sub-path without the field `id`.
   */
  #buildBody(path: string, query: URLSearchParams): object | undefined {
    const findBody = (bodyPath: string) =>
      this.translatedBodies.get(`${query.get('language')} ${bodyPath}`) ?? this.bodies.get(bodyPath)
    const body = findBody(path)
    if (!body) return undefined
    const combinedBody: Record<string, unknown> = { ...body }
    for (const appendedName of query.get('append_to_response')?.split(',') ?? []) {
      const appendedBody = findBody(`${path}/${appendedName}`)
      const { id: _, ...bodyWithoutId } = (appendedBody ?? { id: 0 }) as { id: unknown }
      if (appendedBody) combinedBody[appendedName] = bodyWithoutId
    }
    return combinedBody
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json;charset=utf-8' }).end(JSON.stringify(body))
}

function sendFault(response: ServerResponse, fault: TmdbFault): void {
  if (typeof fault === 'object' && 'respond' in fault) fault.respond(response)
  else if (fault === 'html') response.writeHead(200).end('<html>busy')
  else if (fault === 'unexpected') sendJson(response, 200, ['not', 'a', 'title'])
  else if (fault === 'cut') {
    response.writeHead(200, { 'Content-Length': '5000' }).write('{"id": 1, "title": "Half')
    setTimeout(() => response.destroy(), 5)
  } else {
    response.writeHead(fault.status, fault.retryAfter ? { 'Retry-After': fault.retryAfter } : {})
    response.end('{"status_code":25,"status_message":"Your request count is over the allowed limit."}')
  }
}
