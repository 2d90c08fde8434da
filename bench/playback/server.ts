/** The server of the playback benchmark: it has demo titles whose files are the benchmark's videos. */
import { type ChildProcess, spawn } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { encodeCapabilities } from '../../src/lib/rules/playback-capabilities.ts'
import { readProcessCpuMs } from '../processor-time.ts'

export interface BenchTitle {
  slug: string
  imdbId: string
}
export interface StreamReply {
  sources: { url: string; quality: string; mime_type: string; delivery?: string; reason?: string }[]
}
/** Capabilities of a browser that decodes the same codecs as Debian's Chromium. */
const CHROMIUM_DECODERS = encodeCapabilities((contentType) =>
  /avc1\.640|vp0?[89]|av01|mp4a|opus|flac|vorbis|mpeg/.test(contentType),
)

export class BenchServer {
  readonly baseUrl = `http://127.0.0.1:${24_000 + (process.pid % 1_000)}`
  readonly folder = mkdtempSync(join(tmpdir(), 'marquee-bench-playback-'))
  #process: ChildProcess | null = null
  #headers: Record<string, string> = {}
  #titles: BenchTitle[] = []

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  async start(): Promise<void> {
    mkdirSync(join(this.folder, 'media'), { recursive: true })
    const childProcess = spawn(process.execPath, ['server/main.ts'], {
      env: {
        ...process.env,
        PORT: new URL(this.baseUrl).port,
        DATA_DIR: join(this.folder, 'data'),
        MEDIA_DIR: join(this.folder, 'media'),
        DEMO: '1',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = childProcess
    await new Promise<void>((resolve, reject) => {
      childProcess.once('exit', () => reject(new Error('the server did not start')))
      childProcess.stderr.on('data', (outputChunk) => String(outputChunk).includes('is at') && resolve())
    })
  }

  /** Sends a signal to the server process and waits until the process has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const childProcess = this.#process
    this.#process = null
    if (!childProcess || childProcess.exitCode !== null || childProcess.signalCode !== null) return
    const exitPromise = new Promise((resolve) => childProcess.once('exit', resolve))
    childProcess.kill(signal)
    await exitPromise
  }

  deleteFolder = () => rmSync(this.folder, { recursive: true, force: true })

  readCredentials(): { email: string; password: string } {
    const signInNote = readFileSync(join(this.folder, 'data/first-sign-in.txt'), 'utf8')
    const readNoteValue = (label: string) => new RegExp(`${label}: (.*)`).exec(signInNote)?.[1] ?? ''
    return { email: readNoteValue('Email'), password: readNoteValue('Password') }
  }

  async signIn(): Promise<void> {
    const login = await this.sendRequest('/api/auth/login', this.readCredentials())
    this.#headers = { Authorization: `Bearer ${login.access_token}` }
    const { results } = await this.sendRequest('/api/profile')
    const profile = results.find((candidate: { main: boolean }) => candidate.main)
    this.#headers['X-Profile-Id'] = profile.profile_id
  }

  // biome-ignore lint/suspicious/noExplicitAny: each endpoint returns a reply of another type
  async sendRequest(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<any> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...this.#headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    // With many starts of playback, the lookups and sign-ins exceed the number that the server allows per minute. The
    // request is then sent again after the time that the server states.
    if (response.status === 429) {
      const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 1)
      await new Promise((resolve) => setTimeout(resolve, retryAfterSeconds * 1_000 + 100))
      return this.sendRequest(path, body, method)
    }
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? null : response.json()
  }

  /** Stops the streams of all viewers, as an administrator does. */
  async stopStreams(): Promise<void> {
    const { results } = await this.sendRequest('/api/admin/streams')
    for (const { id } of results) await this.sendRequest(`/api/admin/streams/${id}`, undefined, 'DELETE')
  }

  setSetting = (key: string, value: unknown) => this.sendRequest('/api/settings', { key, value })

  /** Assigns each file to a movie of the demo catalogue. Restarts the server, so that it finds the files. */
  async assignFiles(files: readonly string[]): Promise<BenchTitle[]> {
    const { results } = await this.sendRequest(`/api/movies?limit=${Math.min(100, files.length * 2)}`)
    for (const { id, slug } of results as { id: string; slug: string }[]) {
      if (this.#titles.length >= files.length) break
      const { imdb_id: imdbId } = await this.sendRequest(`/api/movies/${id}`)
      if (imdbId) this.#titles.push({ slug, imdbId })
    }
    if (this.#titles.length < files.length) throw new Error('the demo catalogue has too few movies')
    for (const [index, file] of files.entries()) {
      const path = join(this.folder, 'media', `Film {imdb-${this.#titles[index]?.imdbId}}`, basename(file))
      mkdirSync(dirname(path), { recursive: true })
      linkSync(file, path)
    }
    await this.restart()
    return this.#titles.slice(0, files.length)
  }

  /**
   * Restarts the server. The restart ends all conversions, whose segments and processes would change the next
   * measurement.
   */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
    await this.signIn()
  }

  lookUpSources = ({ imdbId }: BenchTitle, query = ''): Promise<StreamReply> =>
    this.sendRequest(`/proxy/torrent-streamer/stream/movie/${imdbId}?decoders=${CHROMIUM_DECODERS}${query}`)

  /** Returns the ids of the ffmpeg processes that read from the folder of this benchmark. */
  listFfmpegPids(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter(
        (pid) =>
          readProcFile(pid, 'cmdline').includes(this.folder) &&
          readProcFile(pid, 'comm').startsWith('ffmpeg'),
      )
  }

  /** Returns the names of the entries in DATA_DIR/transcode, without the folder of extracted subtitles. */
  listSegmentFolders(): string[] {
    try {
      return readdirSync(join(this.folder, 'data/transcode')).filter((name) => name !== 'subtitles')
    } catch {
      return []
    }
  }

  /**
   * Returns the processor time of the server and its ended ffmpeg processes, plus that of the running ffmpeg processes,
   * in seconds.
   */
  readCpuSeconds(): number {
    return (
      [this.pid, ...this.listFfmpegPids()].reduce((sumMs, pid) => sumMs + readProcessCpuMs(pid), 0) / 1_000
    )
  }
}

function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
