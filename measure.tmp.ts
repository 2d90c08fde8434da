import { openDatabase } from './server/db/open.ts'
import { Candidates } from './server/services/history-import/candidates.ts'
import { decide } from './server/services/history-import/decide.ts'
import { matchTitle } from './server/importers/history/match-title.ts'
import { exportFiles, readShared } from './tests/server/importers/history/shared-data.ts'
import { writeFileSync } from 'node:fs'
const database = openDatabase({dataDir:'/tmp/hist-shared'})
const all: string[] = []
for (const path of exportFiles()) {
  let rows
  try { rows = (await readShared(path)).rows } catch { continue }
  if (!rows.length) continue
  const source = new Candidates(database.reader, {kids:false})
  const t = performance.now()
  await source.prepare(rows)
  const texts = new Map<string, any>()
  for (const row of rows) {
    const m = await matchTitle(row, source)
    const key = row.title + '|' + (row.year??'')
    const seen = texts.get(key)
    const o = {o: m.outcome, why: m.why, title: row.title, year: row.year, at: row.at, r: (row.readings??[]).map(x=>x.title+(x.siblings?`(${x.siblings})`:'')).join(' / '), type: row.type, s: row.seasonName, c: m.candidates.map(c=>`${c.type}:${c.titles[0]}:${c.year}:${c.votes}`).slice(0,4), n: 1, t: m.title && `${m.title.type}:${m.title.titles[0]}:${m.title.year}`}
    if (seen) seen.n++; else texts.set(key, o)
  }
  const v=[...texts.values()]
  const cnt=(f:any,w=(x:any)=>1)=>v.filter(f).reduce((a,x)=>a+w(x),0)
  const line=(w:any)=>{ const m=cnt((x:any)=>x.o==='matched',w), a=cnt((x:any)=>x.o==='ambiguous',w), h=cnt((x:any)=>x.o!=='matched'&&x.c.length,w); return `matched ${m} amb ${a} named-unmatched ${h} => ${(100*m/(m+h)).toFixed(1)}%` }
  console.log(path.padEnd(60), rows.length, 'rows:', line((x:any)=>x.n), '| texts:', v.length, line(()=>1), `${Math.round(performance.now()-t)}ms`)
  for (const x of v) all.push([path, x.o, x.why, x.n, x.title, x.year??'', x.type??'', x.s??'', x.r, x.at??'', x.t??'', x.c.join(' ; ')].join('\t'))
}
writeFileSync('/tmp/hist-measure.tsv', all.join('\n'))
await database.close()
