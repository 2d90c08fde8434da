import { openDatabase } from './server/db/open.ts'
import { migrate } from './server/db/migrate.ts'
import { importTitles } from './server/importers/pipeline.ts'
import { sharedTitles } from './tests/server/history-import/shared-titles.ts'
process.env.MARQUEE_SHARED='/work/shared/data'
import {mkdirSync, rmSync} from 'node:fs'
rmSync('/tmp/hist-shared',{recursive:true,force:true}); mkdirSync('/tmp/hist-shared',{recursive:true})
const database = openDatabase({dataDir:'/tmp/hist-shared'})
await migrate(database)
const t=Date.now()
const r = await importTitles({database, now: Date.now} as never, sharedTitles(), {source:'shared'})
console.log(r.read,r.added,r.changed,r.same,r.skipped,r.skips.slice(0,5),(Date.now()-t)/1000)
await database.close()
