/** Writes ZIP archives. A test can override header fields of an entry, so that the archive is malformed. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content?: string | Uint8Array
  /** Stores the content without compression. The default method is deflate. */
  isStored?: boolean
  /** Header fields that replace the correct values. */
  declaredFields?: Partial<{
    crc: number
    size: number
    compressedSize: number
    offset: number
    flags: number
    method: number
  }>
  /** Unix file mode; 0o120777 is a symbolic link. */
  mode?: number
}

const UTF8_NAMES_FLAG = 0x800

export function createZip(
  entries: readonly ZipEntry[],
  { count: declaredCount = entries.length } = {},
): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = []
  const centralDirectory: Buffer[] = []
  let offsetBytes = 0
  for (const entry of entries) {
    const { localEntry, centralEntry } = encodeEntry(entry, offsetBytes)
    files.push(localEntry)
    centralDirectory.push(centralEntry)
    offsetBytes += localEntry.length
  }
  const endRecord = Buffer.alloc(22)
  endRecord.writeUInt32LE(0x06054b50, 0)
  endRecord.writeUInt16LE(Math.min(declaredCount, 0xffff), 8)
  endRecord.writeUInt16LE(Math.min(declaredCount, 0xffff), 10)
  endRecord.writeUInt32LE(Buffer.concat(centralDirectory).length, 12)
  endRecord.writeUInt32LE(offsetBytes, 16)
  return new Uint8Array(Buffer.concat([...files, ...centralDirectory, endRecord]))
}

function encodeEntry(
  { name, content = '', isStored = false, declaredFields = {}, mode }: ZipEntry,
  offsetBytes: number,
) {
  const bytes = Buffer.from(content as Uint8Array)
  const compressedBytes = isStored ? bytes : deflateRawSync(bytes)
  const nameBytes = Buffer.from(name)
  /** The ten fields that the local header and the central directory entry have in common. */
  const commonFields = Buffer.alloc(26)
  commonFields.writeUInt16LE(20, 0)
  commonFields.writeUInt16LE(declaredFields.flags ?? UTF8_NAMES_FLAG, 2)
  commonFields.writeUInt16LE(declaredFields.method ?? (isStored ? 0 : 8), 4)
  commonFields.writeUInt32LE(declaredFields.crc ?? crc32(bytes), 10)
  commonFields.writeUInt32LE(declaredFields.compressedSize ?? compressedBytes.length, 14)
  commonFields.writeUInt32LE(declaredFields.size ?? bytes.length, 18)
  commonFields.writeUInt16LE(nameBytes.length, 22)
  const centralHeader = Buffer.alloc(46)
  centralHeader.writeUInt32LE(0x02014b50, 0)
  centralHeader.writeUInt16LE(mode === undefined ? 20 : (3 << 8) | 20, 4)
  commonFields.copy(centralHeader, 6)
  centralHeader.writeUInt32LE(((mode ?? 0) << 16) >>> 0, 38)
  centralHeader.writeUInt32LE(declaredFields.offset ?? offsetBytes, 42)
  const localSignature = Buffer.alloc(4)
  localSignature.writeUInt32LE(0x04034b50, 0)
  return {
    localEntry: Buffer.concat([localSignature, commonFields, nameBytes, compressedBytes]),
    centralEntry: Buffer.concat([centralHeader, nameBytes]),
  }
}

/**
 * Returns a malformed ZIP64 archive. It consists of the start of an archive, a ZIP64 locator, and the end record of the
 * central directory. The offset in the locator is larger than any possible file.
 */
export function createInvalidZip64End(): Uint8Array<ArrayBuffer> {
  const endLocator = Buffer.alloc(20)
  endLocator.writeUInt32LE(0x07064b50, 0)
  endLocator.writeBigUInt64LE(2n ** 63n - 1n, 8)
  endLocator.writeUInt32LE(1, 16)
  const endRecord = Buffer.alloc(22)
  endRecord.writeUInt32LE(0x06054b50, 0)
  endRecord.writeUInt16LE(0xffff, 10)
  const archiveStart = Buffer.from('PK\x03\x04'.padEnd(64, '\0'), 'latin1')
  return new Uint8Array(Buffer.concat([archiveStart, endLocator, endRecord]))
}
