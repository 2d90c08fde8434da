/**
 * Writes compressed copies of files. Copies are cached by content, because compressing takes most of the time of a
 * build.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const CACHE_FOLDER = 'node_modules/.cache/compressed'
const MAX_UNUSED_DAYS = 14
const DAY_MS = 86_400_000

/**
 * Brotli compresses larger files with LARGE_FILE_BROTLI_QUALITY. For the WebAssembly module of the subtitles (2 MB),
 * the highest quality takes 6 s instead of 0.3 s and saves only 100 kB. The first start in a household waits for the
 * compression.
 */
const LARGE_FILE_BYTES = 1_000_000
const LARGE_FILE_BROTLI_QUALITY = 9

/**
 * Compression functions by the suffix of the copy. They use the highest quality, except for large files with Brotli.
 */
const COMPRESSORS_BY_SUFFIX = {
  '.br': (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]:
          bytes.length > LARGE_FILE_BYTES ? LARGE_FILE_BROTLI_QUALITY : constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.gz': (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Writes `FILE.br` and `FILE.gz` beside each file. */
export async function compressFiles(files: readonly string[]): Promise<void> {
  await mkdir(CACHE_FOLDER, { recursive: true })
  // The largest files are compressed first: a large file at the end would leave the other processors idle. The list is
  // sorted by increasing size, because `pop` takes the files from its end.
  const fileSizes = await Promise.all(
    files.map(async (file) => ({ file, sizeBytes: (await stat(file)).size })),
  )
  const pendingFiles = fileSizes.toSorted((a, b) => a.sizeBytes - b.sizeBytes).map(({ file }) => file)
  const copyPromisesByFile = new Map<string, Promise<void>>()
  const compressNextFiles = async () => {
    for (let file = pendingFiles.pop(); file; file = pendingFiles.pop())
      await compressFile(file, copyPromisesByFile)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, compressNextFiles))
  await deleteUnusedCopies()
}

async function compressFile(file: string, copyPromisesByFile: Map<string, Promise<void>>): Promise<void> {
  const fileBytes = await readFile(file)
  const cachedFile = join(CACHE_FOLDER, createHash('sha256').update(fileBytes).digest('hex'))
  for (const [suffix, compress] of Object.entries(COMPRESSORS_BY_SUFFIX)) {
    const compressedFile = cachedFile + suffix
    // Files with the same content share one compressed copy.
    const copyPromise =
      copyPromisesByFile.get(compressedFile) ??
      ensureCompressedCopy(compressedFile, () => compress(fileBytes))
    copyPromisesByFile.set(compressedFile, copyPromise)
    await copyPromise
    await copyFile(compressedFile, file + suffix)
  }
}

async function ensureCompressedCopy(compressedFile: string, compress: () => Promise<Buffer>): Promise<void> {
  const currentTime = new Date()
  const isCached = await utimes(compressedFile, currentTime, currentTime).then(
    () => true,
    () => false,
  )
  if (isCached) return
  // Another build may read the cache at the same time. The finished file is renamed, so that the other build
  // never reads a partial copy.
  const incompleteCopy = `${compressedFile}-${process.pid}`
  await writeFile(incompleteCopy, await compress())
  await rename(incompleteCopy, compressedFile)
}

async function deleteUnusedCopies(): Promise<void> {
  for (const fileName of await readdir(CACHE_FOLDER)) {
    const file = join(CACHE_FOLDER, fileName)
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > MAX_UNUSED_DAYS * DAY_MS) await rm(file, { force: true })
  }
}
