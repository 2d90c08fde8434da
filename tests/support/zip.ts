/** Writes ZIP archives as services do, and as nobody should: every field of an entry can be a lie. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content?: string | Uint8Array
  /** Deflated unless said. */
  stored?: boolean
  /** What the archive says of it, where that is not the truth. */
  says?: Partial<{
    crc: number
    size: number
    packedSize: number
    offset: number
    flags: number
    method: number
  }>
  /** Unix mode: 0o120777 is a link. */
  mode?: number
}

const UTF8_NAMES = 0x800

export function zip(entries: readonly ZipEntry[], { count = entries.length } = {}): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, central } = records(entry, offset)
    files.push(local)
    list.push(central)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(Buffer.concat(list).length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...files, ...list, end]))
}

function records({ name, content = '', stored = false, says = {}, mode }: ZipEntry, offset: number) {
  const bytes = Buffer.from(content as Uint8Array)
  const packed = stored ? bytes : deflateRawSync(bytes)
  const title = Buffer.from(name)
  /** The ten fields that both records have. */
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(says.flags ?? UTF8_NAMES, 2)
  common.writeUInt16LE(says.method ?? (stored ? 0 : 8), 4)
  common.writeUInt32LE(says.crc ?? crc32(bytes), 10)
  common.writeUInt32LE(says.packedSize ?? packed.length, 14)
  common.writeUInt32LE(says.size ?? bytes.length, 18)
  common.writeUInt16LE(title.length, 22)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(mode === undefined ? 20 : (3 << 8) | 20, 4)
  common.copy(central, 6)
  central.writeUInt32LE(((mode ?? 0) << 16) >>> 0, 38)
  central.writeUInt32LE(says.offset ?? offset, 42)
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(0x04034b50, 0)
  return {
    local: Buffer.concat([signature, common, title, packed]),
    central: Buffer.concat([central, title]),
  }
}

/** The end of a large archive (ZIP64) whose list lies where no file can have it. */
export function endOfNowhere(): Uint8Array<ArrayBuffer> {
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(2n ** 63n - 1n, 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(0xffff, 10)
  const begin = Buffer.from('PK\x03\x04'.padEnd(64, '\0'), 'latin1')
  return new Uint8Array(Buffer.concat([begin, locator, end]))
}
