/** Which service a file is from, before it is read. */
import { open } from 'node:fs/promises'
import { detect, UnknownFormat } from '../../importers/history/parse.ts'
import type { Source } from '../../importers/history/row.ts'

const HEAD_BYTES = 8_192

/** Throws `UnknownFormat`. */
export async function detectSource(path: string, name: string): Promise<Source> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const format = detect(name, buffer.subarray(0, bytesRead))
    if (!format) throw new UnknownFormat(name)
    return format.source
  } finally {
    await file.close()
  }
}
