import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { command } from './command.ts'

await command({
  help: 'npm run backup -- FILE: a consistent copy of the SQLite database while it serves, checked after writing. PostgreSQL: use pg_dump.',
  run: async (deps, _given, [file]) => {
    if (!file) throw new Error('Name the file to write: npm run backup -- FILE')
    if (existsSync(file)) throw new Error(`${file} exists already; a backup never overwrites.`)
    if (!deps.database.sqlite) throw new Error('This is PostgreSQL: use pg_dump.')
    await backup(deps.database.sqlite, file)
    const copy = new DatabaseSync(file, { readOnly: true })
    const { integrity_check: verdict } = copy.prepare('pragma integrity_check').get() as {
      integrity_check: string
    }
    copy.close()
    if (verdict !== 'ok') throw new Error(`The copy is damaged (${verdict}): do not rely on it.`)
    return `${file} written and checked.`
  },
})
