import { expect, it } from 'vitest'
import { formatRestoreCommand } from '../../src/islands/dashboard/system/restore-command.ts'
import type { Backup } from '../../src/lib/contract/admin-backups.ts'

const createBackupsReply = (...fileNames: string[]) => ({
  results: fileNames.map((file) => ({ file }) as Backup),
  method: 'sqlite' as const,
  folder: '/var/lib/marquee/backups',
  next_at: null,
})

it('the restore command names the newest backup with its folder', () => {
  const [newestName, olderName] = [
    'marquee-20260102T000000000Z-manual.db',
    'marquee-20260101T000000000Z-manual.db',
  ]
  expect(formatRestoreCommand(createBackupsReply(newestName, olderName))).toBe(
    `npm run restore -- /var/lib/marquee/backups/${newestName}`,
  )
})

it('without a backup, the restore command has a placeholder instead of a file name', () => {
  expect(formatRestoreCommand(createBackupsReply())).toBe('npm run restore -- FILE')
  expect(formatRestoreCommand(undefined)).toBe('npm run restore -- FILE')
})
