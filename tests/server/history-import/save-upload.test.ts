/** Errors while an uploaded file is saved: a full disk, a truncated gzip file, and a client that disconnects. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Deps } from '../../../server/services/deps.ts'
import { getUploadPath, saveUpload } from '../../../server/services/history-import/save-upload.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'marquee-upload-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const saveBody = (body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) => {
  // The clock is at 0, so that no file is old enough to be deleted as a leftover of an earlier upload.
  const deps = { config: { dataDir }, now: () => 0 } as Deps
  const request = new Request('http://localhost/import', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit)
  return saveUpload(deps, request, { id: 'upload', name: 'history.csv.gz' })
}
/** The error that Node.js reports when a client closes the connection before the end of its request. */
const createDisconnectError = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
const gzipBody = new Uint8Array(gzipSync('Title,Date\nHeat,1/2/20\n'))

it('saving a gzip file on a full disk fails with ENOSPC, and not with the error for a damaged file', async () => {
  const uploadPath = getUploadPath({ config: { dataDir } } as Deps, 'upload')
  mkdirSync(join(dataDir, 'imports'))
  // Every write to /dev/full fails with ENOSPC.
  symlinkSync('/dev/full', uploadPath)
  await expect(saveBody(gzipBody)).rejects.toMatchObject({ code: 'ENOSPC' })
})

it('a truncated gzip file is rejected with the field problem "not_gzip"', async () => {
  await expect(saveBody(gzipBody.slice(0, -10))).rejects.toMatchObject({
    type: 'validation_error',
    errors: { file: ['not_gzip'] },
  })
})

it.each([0, 1])(
  'if the client disconnects after %d chunks, the upload is rejected as a bad request and leaves no file',
  async (chunkCount) => {
    let sentChunkCount = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sentChunkCount === chunkCount) return controller.error(createDisconnectError())
        sentChunkCount += 1
        controller.enqueue(Buffer.from('Title,Date\n'))
      },
    })
    await expect(saveBody(body)).rejects.toMatchObject({ type: 'bad_request' })
    expect(existsSync(getUploadPath({ config: { dataDir } } as Deps, 'upload'))).toBe(false)
  },
)

it('the whole body of a rejected upload is read, so that its client receives the reason', async () => {
  const chunkCount = 40
  let sentChunkCount = 0
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sentChunkCount === chunkCount) return controller.close()
      sentChunkCount += 1
      // The first two bytes identify a gzip file, but the content is not gzip data.
      controller.enqueue(new Uint8Array(1_000).fill(0x41).with(0, 0x1f).with(1, 0x8b))
    },
    cancel() {
      isCancelled = true
    },
  })
  await expect(saveBody(body)).rejects.toMatchObject({ errors: { file: ['not_gzip'] } })
  expect([sentChunkCount, isCancelled]).toEqual([chunkCount, false])
})
