import { it } from 'vitest'
import { addMovies, createMovieRecord } from '/work/wt/diary/tests/server/admin/admin-test-server.ts'
import { startViewingHousehold } from '/work/wt/diary/tests/server/tracking/viewing-series.ts'
import { DATABASES } from '/work/wt/diary/tests/support/server.ts'

it.each(DATABASES)(
  'perf %s',
  async (name, open) => {
    const h = await startViewingHousehold(await open())
    const ids = await addMovies(
      { server: h.server },
      Array.from({ length: 500 }, (_, i) => createMovieRecord(100 + i)),
    )
    const rows = Array.from({ length: 20000 }, (_, i) => ({
      profile_id: h.device.profileId ?? '',
      title_id: Number(ids[i % 500]),
      season_number: 0,
      episode_number: 0,
      name: '',
      watched_at: 1_400_000_000_000 + i * 18_000_000,
      by_day: 0,
    }))
    for (let i = 0; i < rows.length; i += 1000)
      await h.server.database.primary
        .insertInto('play')
        .values(rows.slice(i, i + 1000))
        .execute()
    const other = await h.server.database.primary
      .selectFrom('play')
      .select((eb) => eb.fn.countAll().as('n'))
      .executeTakeFirst()
    for (const q of [
      '',
      '?type=movie',
      '?type=tv',
      '?from=2016-01-01T00:00:00Z&until=2016-02-01T00:00:00Z',
      `?media_id=${ids[7]}`,
    ]) {
      const times: number[] = []
      for (let i = 0; i < 15; i++) {
        const a = performance.now()
        await h.device.get(`${h.profilePath}/viewings${q}`)
        times.push(performance.now() - a)
      }
      times.sort((a, b) => a - b)
      console.log(name, q, 'median', times[7]?.toFixed(1), 'max', times[14]?.toFixed(1), other)
    }
    await h.server.close()
  },
  120000,
)
