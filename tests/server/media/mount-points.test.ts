/**
 * The server stores which folders of the media folder are mount points. When a disk is missing at the next start, the
 * server does not treat the files of the disk as deleted.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMountTracker, EMPTY_FOLDER_GRACE_MS } from '../../../server/providers/library/empty-folders.ts'
import type { FolderTree, LibraryFolder } from '../../../server/providers/library/folder-tree.ts'
import { upsertSetting } from '../../../server/queries/setting.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import { openMigratedFile } from '../../support/databases.ts'
import { createTempFolder, startMediaTestServer } from './media-test-server.ts'

const DISK_FILE_PATH = 'Movies/Disk/Heat (1995).mkv'
let folder: ReturnType<typeof createTempFolder>
let dataFolder: ReturnType<typeof createTempFolder>
beforeEach(() => {
  folder = createTempFolder({ [DISK_FILE_PATH]: 'x', 'Shorts/Later (2020).mkv': 'x' })
  dataFolder = createTempFolder()
})
afterEach(() => {
  folder.remove()
  dataFolder.remove()
})

/** Starts a server on the same database and media folder, runs the function, and stops the server. */
async function withServer<T>(run: (server: Awaited<ReturnType<typeof startMediaTestServer>>) => Promise<T>) {
  const mediaServer = await startMediaTestServer(
    { MEDIA_DIR: folder.path, DATA_DIR: dataFolder.path, FFMPEG_PATH: 'off' },
    [],
    await openMigratedFile(join(dataFolder.path, 'marquee.db')),
  )
  try {
    return await run(mediaServer)
  } finally {
    await getLibrarySync(mediaServer.server.deps)?.stop()
    await mediaServer.close()
  }
}
const listPaths = () =>
  withServer(async ({ server }) => {
    const rows = await server.database.primary.selectFrom('library_file').select('path').execute()
    return rows.map(({ path }) => path).sort()
  })
/** Deletes the content of a folder, but not the folder. */
const clearFolder = (path: string) => {
  rmSync(join(folder.path, path), { recursive: true })
  mkdirSync(join(folder.path, path))
}

test('files that were deleted while the server was stopped leave the library at the next start', async () => {
  expect(await listPaths()).toEqual([DISK_FILE_PATH, 'Shorts/Later (2020).mkv'])
  clearFolder('Shorts')
  expect(await listPaths()).toEqual([DISK_FILE_PATH])
})

test('files of a mount point below the first level stay in the library when the server starts while their disk is not mounted', async () => {
  await withServer(async ({ server }) => {
    const row = { key: 'library_mount_points', value: '[["Movies/Disk",0]]', updated_at: 0, updated_by: null }
    await upsertSetting(server.database.primary, row)
  })
  clearFolder('Movies/Disk')
  clearFolder('Shorts')
  expect(await listPaths()).toEqual([DISK_FILE_PATH])
  expect(await listPaths()).toEqual([DISK_FILE_PATH])
})

const createFolder = (deviceNumber: number, files: string[] = [], folders: string[] = []): LibraryFolder => ({
  files,
  folders,
  isHlsStream: false,
  unusableNameCount: 0,
  device: deviceNumber,
  inode: 1,
})

test('folders on another device than their parent folder are listed as mount points', () => {
  const tree: FolderTree = new Map([
    ['', createFolder(1, [], ['Local', 'Disk'])],
    ['Local', createFolder(1, [], ['Inner'])],
    ['Local/Inner', createFolder(2, ['a.mkv'])],
    ['Disk', createFolder(3, [], ['Folder'])],
    ['Disk/Folder', createFolder(3, ['b.mkv'])],
  ])
  expect([...createMountTracker().listMountPoints(tree)]).toEqual([
    ['Local/Inner', 0],
    ['Disk', 0],
  ])
})

test('an empty mount point counts as unmounted until it has been empty for a day of server run time, which is added up over restarts', () => {
  const emptyMountPoint = createFolder(1)
  const tree: FolderTree = new Map([
    ['', createFolder(1, [], ['Disk', 'New'])],
    ['Disk', emptyMountPoint],
    ['New', emptyMountPoint],
  ])
  let mountPoints: ReadonlyMap<string, number> = new Map([['Disk', 0]])
  const simulateServerRun = (durationMs: number) => {
    let nowMs = 0
    const mountTracker = createMountTracker(() => nowMs)
    mountTracker.setKnownMountPoints(mountPoints)
    expect(mountTracker.isUnmounted('New', emptyMountPoint)).toBe(false)
    mountTracker.isUnmounted('Disk', emptyMountPoint)
    nowMs += durationMs
    const isUnmounted = mountTracker.isUnmounted('Disk', emptyMountPoint, emptyMountPoint)
    mountPoints = mountTracker.listMountPoints(tree)
    return isUnmounted
  }
  expect([
    simulateServerRun(EMPTY_FOLDER_GRACE_MS / 2),
    simulateServerRun(EMPTY_FOLDER_GRACE_MS / 4),
  ]).toEqual([true, true])
  expect(simulateServerRun(EMPTY_FOLDER_GRACE_MS / 2)).toBe(false)
  expect([...mountPoints]).toEqual([])
})
