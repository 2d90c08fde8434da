/**
 * Folder of encoded images with an upper limit of the total size. The modification time of a file is the time of its
 * last use. So several processes that share the folder find the least recently used files without an index.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface ArtworkCache {
  /** Returns the bytes of an image; null when the file is not cached, cannot be read or is damaged. */
  read: (fileName: string) => Promise<Buffer | null>
  /**
   * Stores an image. Never throws: when the disk is full, the image is not cached and has to be encoded again later.
   */
  write: (fileName: string, bytes: Buffer) => Promise<void>
}

/** The time of the last use of a file is updated at most once in this interval. */
const TOUCH_INTERVAL_MS = 3_600_000
/** Eviction ends when the folder uses no more than this share of the limit, so that evictions are rare. */
const EVICTION_TARGET_SHARE = 0.9
/** Share of the limit that this process may write between two measurements of the folder. */
const MAX_UNMEASURED_SHARE = 0.05
/** The name of a file starts with a hash. The first two characters of the hash are the name of the subfolder. */
const getCachedFilePath = (folder: string, fileName: string) => join(folder, fileName.slice(0, 2), fileName)

/**
 * Returns the SHA-256 with which a file starts, so that a damaged file is recognised: after a power failure, a file may
 * be empty or contain zeros. Browsers would cache such an image for a year.
 */
const computeDigest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const DIGEST_BYTES = 32

interface ArtworkCacheOptions {
  folder: string
  /** Returns the maximum total size of the files in the folder, in bytes. */
  loadMaxBytes: () => Promise<number>
  now?: () => number
}

export function createArtworkCache({
  folder,
  loadMaxBytes,
  now = Date.now,
}: ArtworkCacheOptions): ArtworkCache {
  /** Bytes written since the folder was measured; infinite before the first measurement. */
  let unmeasuredBytes = Number.POSITIVE_INFINITY
  let activeEviction: Promise<void> | null = null

  async function evictIfNeeded(): Promise<void> {
    const maxBytes = await loadMaxBytes()
    if (unmeasuredBytes < maxBytes * MAX_UNMEASURED_SHARE) return
    unmeasuredBytes = 0
    await evictLeastRecentlyUsed(folder, maxBytes, now() - TOUCH_INTERVAL_MS)
  }

  return {
    async read(fileName) {
      const path = getCachedFilePath(folder, fileName)
      try {
        const fileBytes = await readFile(path)
        const bytes = fileBytes.subarray(DIGEST_BYTES)
        if (!computeDigest(bytes).equals(fileBytes.subarray(0, DIGEST_BYTES))) return null
        const { mtimeMs } = await stat(path)
        if (now() - mtimeMs > TOUCH_INTERVAL_MS) await utimes(path, now() / 1000, now() / 1000)
        return bytes
      } catch {
        return null
      }
    },
    async write(fileName, bytes) {
      const path = getCachedFilePath(folder, fileName)
      const temporaryPath = `${path}.${randomBytes(6).toString('hex')}.part`
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        const fileBytes = Buffer.concat([computeDigest(bytes), bytes])
        await writeFile(temporaryPath, fileBytes, { mode: 0o600, flag: 'wx' })
        await rename(temporaryPath, path)
        unmeasuredBytes += fileBytes.length
        activeEviction ??= evictIfNeeded().finally(() => {
          activeEviction = null
        })
        await activeEviction
      } catch {
        await rm(temporaryPath, { force: true }).catch(() => {})
      }
    },
  }
}

/**
 * When the folder exceeds the limit, deletes the least recently used files down to EVICTION_TARGET_SHARE of the limit.
 * Also deletes temporary files that were last changed before `abandonedPartsBeforeMs`: a crashed process has left them.
 */
async function evictLeastRecentlyUsed(
  folder: string,
  maxBytes: number,
  abandonedPartsBeforeMs: number,
): Promise<void> {
  const files: { path: string; sizeBytes: number; usedAtMs: number }[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const stats = await stat(path).catch(() => null)
    if (!stats) continue
    if (!path.endsWith('.part')) files.push({ path, sizeBytes: stats.size, usedAtMs: stats.mtimeMs })
    else if (stats.mtimeMs < abandonedPartsBeforeMs) await rm(path, { force: true })
  }
  let totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  if (totalBytes <= maxBytes) return
  for (const file of files.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (totalBytes <= maxBytes * EVICTION_TARGET_SHARE) break
    await rm(file.path, { force: true })
    totalBytes -= file.sizeBytes
  }
}
