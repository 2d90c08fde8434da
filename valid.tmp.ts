import { openDatabase } from './server/db/open.ts'
import { Candidates } from './server/services/history-import/candidates.ts'
import { matchTitle } from './server/importers/history/match-title.ts'
import { readShared } from './tests/server/importers/history/shared-data.ts'
const database = openDatabase({dataDir:'/tmp/hist-shared'})
for (const path of ['trakt_a/watched-movies.json.gz','imdb_a/ratings.csv.gz','letterboxd_b/watched.csv']) {
  const rows = (await readShared('exports/'+path)).rows
  const source = new Candidates(database.reader, {kids:false})
  await source.prepare(rows)
  const c: any = {held:0, right:0, wrong:0, byWhy:{}}
  const bad: string[] = []
  for (const row of rows) {
    const truth = (await matchTitle(row, source)).title
    if (truth) c.held++
    const m = await matchTitle({source:'netflix',line:1,kind:'watched',ids:{},title:row.title,...(row.at && {at:row.at})} as never, source)
    if (m.outcome!=='matched') continue
    const k = m.why; c.byWhy[k] ??= [0,0]
    if (truth && m.title!.id===truth.id) { c.right++; c.byWhy[k][0]++ } else { c.wrong++; c.byWhy[k][1]++; if (k==='title_of_fame') bad.push(`${row.title} ${row.year} ${row.at} -> ${m.title!.titles[0]} ${m.title!.year} ${m.title!.votes} of ${m.candidates.map(c=>c.year+':'+c.votes)} truth ${truth?.year}`) }
  }
  console.log(path, JSON.stringify(c)); console.log(bad.slice(0,12).join('\n'))
}
await database.close()
