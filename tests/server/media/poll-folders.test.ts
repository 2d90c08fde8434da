/** Polls the media folders without a file-system watcher, and all media folders on network file systems. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pollFolders } from '../../../server/providers/library/poll-folders.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createTempFolder } from './media-test-server.ts'

const NFS_TYPE = 0x6969
const toFolderEntries = (...folders: string[]) => folders.map((folder) => [folder, { device: 1 }] as const)

test('the poller reports changes of watched folders on a network file system that is mounted below a local root', async () => {
  const folder = createTempFolder()
  for (const name of ['local', 'share']) mkdirSync(join(folder.path, name))
  const changedFolders: string[] = []
  const poller = pollFolders(folder.path, {
    listFolders: () => [
      ['', { device: 1 }],
      ['local', { device: 1 }],
      ['share', { device: 2 }],
    ],
    isWatched: () => true,
    onChange: (name) => changedFolders.push(name),
    readFileSystemType: async (path) => (path.endsWith('share') ? NFS_TYPE : 0),
  })
  await poller.start()
  for (const name of ['local', 'share']) writeFileSync(join(folder.path, name, 'film.mkv'), '')
  await waitFor(() => expect(changedFolders).toEqual(['share']))
  poller.stop()
  folder.remove()
})

test('the poller reports a new file within three seconds, but only for folders without a watcher', async () => {
  const folder = createTempFolder()
  for (const name of ['watched', 'unwatched']) mkdirSync(join(folder.path, name))
  const changedFolders: string[] = []
  const poller = pollFolders(folder.path, {
    listFolders: () => toFolderEntries('watched', 'unwatched'),
    isWatched: (name) => name === 'watched',
    onChange: (name) => changedFolders.push(name),
  })
  await poller.start()
  for (const name of ['watched', 'unwatched']) writeFileSync(join(folder.path, name, 'film.mkv'), '')
  const startedAtMs = performance.now()
  while (changedFolders.length === 0 && performance.now() - startedAtMs < 10_000) await pause(50)
  expect(performance.now() - startedAtMs).toBeLessThan(3_000)
  expect(changedFolders).toEqual(['unwatched'])
  poller.stop()
  folder.remove()
})

test('the poller does not report a folder that cannot be read, and reports a removed folder', async () => {
  const folder = createTempFolder()
  for (const name of ['failing', 'removed']) mkdirSync(join(folder.path, name))
  const changedFolders: string[] = []
  const poller = pollFolders(folder.path, {
    listFolders: () => toFolderEntries('failing', 'removed'),
    isWatched: () => false,
    onChange: (name) => changedFolders.push(name),
  })
  await poller.start()
  for (const name of ['failing', 'removed']) rmSync(join(folder.path, name), { recursive: true })
  // A circular link cannot be read (ELOOP), like a lost network share (ESTALE or EIO).
  symlinkSync('failing', join(folder.path, 'failing'))
  await waitFor(() => expect(changedFolders).toEqual(['removed']))
  poller.stop()
  folder.remove()
})
