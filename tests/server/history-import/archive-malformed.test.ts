/** Malformed and malicious ZIP archives sent to the history import endpoint, on both databases. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { createInvalidZip64End, createZip, type ZipEntry } from '../../support/zip.ts'
import { LETTERBOXD_ARCHIVE, NETFLIX_MY_LIST } from './archives.ts'
import {
  type ImportHousehold,
  listTemporaryImportFiles,
  runImportDryRun,
  startImportHousehold,
  uploadImport,
} from './import-household.ts'

/**
 * Returns `entryCount` entries of an archive. Only the first entry has content. The headers of the other entries state
 * that their content starts at the same offset as the content of the first entry.
 */
function createOverlappingEntries(fileName: string, content: Buffer, entryCount: number): ZipEntry[] {
  const falseHeader = {
    offset: 0,
    crc: crc32(content),
    size: content.length,
    compressedSize: deflateRawSync(content).length,
  }
  return Array.from({ length: entryCount }, (_, index) => ({
    name: `${index}/${fileName}`,
    ...(index ? { declaredFields: falseHeader } : { content }),
  }))
}

describe.each(DATABASES)('import of malformed archives on %s', () => {
  let household: ImportHousehold
  beforeAll(async () => {
    household = await startImportHousehold()
  }, 120_000)
  afterAll(() => household.server.close())

  const validFile = { name: 'MyList.csv', content: NETFLIX_MY_LIST }
  it('skips unsafe, nested, encrypted and unknown files, and reads the other files', async () => {
    await household.switchToNewProfile('Odd')
    const newerExport = '{"format": "marquee-export", "version": 2, "list": []}'
    const importRun = await runImportDryRun(
      household.adult,
      'odd.zip',
      createZip([
        validFile,
        { ...validFile, content: NETFLIX_MY_LIST.replace('Dark', 'Inception') },
        { name: '/etc/MyList.csv', content: NETFLIX_MY_LIST },
        { name: '../../MyList.csv', content: NETFLIX_MY_LIST },
        { name: '..\\MyList.csv', content: NETFLIX_MY_LIST },
        { name: 'C:\\MyList.csv', content: NETFLIX_MY_LIST },
        { name: 'a/\0MyList.csv', content: NETFLIX_MY_LIST },
        { name: `${'a/'.repeat(200)}MyList.csv`, content: NETFLIX_MY_LIST },
        { name: 'link/MyList.csv', content: NETFLIX_MY_LIST, mode: 0o120777 },
        { name: 'locked/MyList.csv', content: NETFLIX_MY_LIST, declaredFields: { flags: 1 } },
        { name: 'method/MyList.csv', content: NETFLIX_MY_LIST, declaredFields: { method: 12 } },
        { name: 'nested/more.zip', content: createZip(LETTERBOXD_ARCHIVE) },
        { name: 'nested/MyList.csv.gz', content: gzipSync(NETFLIX_MY_LIST) },
        { name: 'newer/marquee-export.json', content: newerExport },
        { name: 'empty.csv', content: '' },
      ]),
    )
    expect(importRun.status).toBe('ready')
    expect(importRun.rows.total).toBe(2)
    const reasons = importRun.files.map((file: { why: string | null }) => file.why ?? 'read')
    expect(reasons.toSorted()).toEqual(
      [
        ...['archive', 'archive', 'duplicate', 'encrypted', 'link', 'packing', 'read', 'unknown_format'],
        ...['unknown_version', ...Array(6).fill('unsafe_name')],
      ].toSorted(),
    )
    expect(JSON.stringify(importRun.list)).not.toContain('Inception')
  })

  it('rejects an archive with an error code when none of its files can be read', async () => {
    await household.switchToNewProfile('Refused')
    const validArchive = createZip([validFile])
    const uploadAndGetError = async (content: Uint8Array<ArrayBuffer>) => {
      const { status, body } = await uploadImport(household.adult, 'a.zip', content)
      return status === 422 ? body.errors.file[0] : status
    }
    const corruptedArchive = validArchive.slice()
    corruptedArchive[60] = (corruptedArchive[60] ?? 0) ^ 0xff
    const uploadWithFalseHeader = (header: ZipEntry['declaredFields']) =>
      uploadAndGetError(createZip([{ ...validFile, ...(header && { declaredFields: header }) }]))
    expect(await uploadAndGetError(createZip([{ name: 'notes.txt', content: 'hello' }]))).toBe(
      'unknown_format',
    )
    expect(await uploadAndGetError(createZip([]))).toBe('unknown_format')
    for (const name of ['xl/workbook.xml', 'content.xml', 'Index/Document.iwa'])
      expect(await uploadAndGetError(createZip([{ name, content: '<workbook/>' }]))).toBe('spreadsheet')
    expect(await uploadAndGetError(new Uint8Array(Buffer.from('d0cf11e0a1b11ae100', 'hex')))).toBe(
      'spreadsheet',
    )
    expect(await uploadAndGetError(createZip([{ ...validFile, declaredFields: { flags: 1 } }]))).toBe(
      'encrypted',
    )
    expect(await uploadAndGetError(createZip([{ ...validFile, declaredFields: { flags: 0x41 } }]))).toBe(
      'encrypted',
    )
    expect(await uploadAndGetError(createZip([{ name: 'a.zip', content: validArchive }]))).toBe('archive')
    expect(await uploadAndGetError(validArchive.slice(0, -30))).toBe('damaged')
    expect(await uploadAndGetError(validArchive.slice(0, 40))).toBe('damaged')
    expect(await uploadAndGetError(corruptedArchive)).toBe('damaged')
    expect(await uploadAndGetError(createInvalidZip64End())).toBe('damaged')
    expect(await uploadWithFalseHeader({ crc: 1 })).toBe('damaged')
    expect(await uploadWithFalseHeader({ size: 7 })).toBe('damaged')
    expect(await uploadWithFalseHeader({ size: 0xffffffff })).toBe('damaged')
    expect(await uploadWithFalseHeader({ compressedSize: 0xfffffff0 })).toBe('damaged')
    expect(await uploadWithFalseHeader({ offset: 0xfffffff0 })).toBe('damaged')
    expect(await uploadAndGetError(createZip([validFile], { count: 7 }))).toBe('damaged')
    const tooManyFiles = Array.from({ length: 1_001 }, (_, index) => ({ name: `${index}.txt`, content: '' }))
    expect(await uploadAndGetError(createZip(tooManyFiles))).toBe('too_many_files')
    expect(await uploadAndGetError(createZip([validFile], { count: 60_000 }))).toBe('too_many_files')
    const longNameEntries = Array.from({ length: 80 }, (_, index) => ({
      name: `${index}${'x'.repeat(60_000)}`,
    }))
    expect(await uploadAndGetError(createZip([validFile, ...longNameEntries]))).toBe('damaged')
    const unknownJson = JSON.stringify([{ name: 'x.json' }])
    expect(await uploadAndGetError(createZip([{ name: 'x.json', content: unknownJson }]))).toBe(
      'unknown_format',
    )
    expect(listTemporaryImportFiles(household)).toEqual([])
    expect(
      (await household.adult.get(`/api/profile/${household.adult.profileId}/import`)).body.total_results,
    ).toBe(0)
  })

  it('rejects an archive whose unpacked size is too large, and does not unpack files that are not histories', async () => {
    await household.switchToNewProfile('Bomb')
    const csvRow = `Ann,${' '.repeat(1_000)}Dark,DE,2022-01-22\n`
    const largeFile = Buffer.from(NETFLIX_MY_LIST + csvRow.repeat(70_000))
    // The limit counts the unpacked size of every entry, even if entries share the same bytes of the archive.
    const archive = createZip(createOverlappingEntries('MyList.csv', largeFile, 3))
    expect(archive.length).toBeLessThan(1_000_000)
    expect((await uploadImport(household.adult, 'bomb.zip', archive)).status).toBe(413)
    // The server unpacks only the first bytes of a file that is not a history.
    const overlappingEntries = createOverlappingEntries('film.mp4', Buffer.alloc(70_000_000), 10)
    const importRun = await runImportDryRun(
      household.adult,
      'films.zip',
      createZip([...overlappingEntries, validFile]),
    )
    expect(importRun).toMatchObject({ status: 'ready', rows: { total: 2 }, files: { length: 11 } })
    expect(listTemporaryImportFiles(household)).toEqual([])
  }, 60_000)
})
