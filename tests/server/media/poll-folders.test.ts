/** Polls those media folders for which no file-system watcher runs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pollFolders } from '../../../server/providers/library/poll-folders.ts'
import { createTempFolder } from './media-test-server.ts'

test('the poller reports a new file within three seconds, but only for folders without a watcher', async () => {
  const folder = createTempFolder()
  for (const name of ['watched', 'unwatched']) mkdirSync(join(folder.path, name))
  const changedFolders: string[] = []
  const poller = pollFolders(folder.path, {
    listFolders: () => ['watched', 'unwatched'],
    isWatched: (name) => name === 'watched',
    onChange: (name) => changedFolders.push(name),
  })
  await poller.start()
  for (const name of ['watched', 'unwatched']) writeFileSync(join(folder.path, name, 'film.mkv'), '')
  const startedMs = performance.now()
  while (changedFolders.length === 0 && performance.now() - startedMs < 10_000) await pause(50)
  expect(performance.now() - startedMs).toBeLessThan(3_000)
  expect(changedFolders).toEqual(['unwatched'])
  poller.stop()
  folder.remove()
})
