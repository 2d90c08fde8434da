/** Undoing random marks, removals, notes and date changes restores the state before them, byte for byte. */
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../server/core/problem.ts'
import { Audience } from '../../../server/queries/title-scope.ts'
import type { ProfileContext } from '../../../server/services/context.ts'
import { listViewings } from '../../../server/services/viewings/list-viewings.ts'
import * as edits from '../../../server/services/viewings/viewing-edits.ts'
import type { ViewingScope } from '../../../src/lib/contract/viewings.ts'
import { usesPostgres } from '../../support/databases.ts'
import { createIntegerGenerator } from '../../support/random.ts'
import { DATABASES } from '../../support/server.ts'
import { readViewingsProgressAndWatchlist, startViewingHousehold } from './viewing-series.ts'

/** On PostgreSQL fewer steps are enough, because the run on SQLite tests the same code with more steps. */
const STEP_COUNT = Number(process.env['VIEWING_STEPS'] ?? (usesPostgres ? 300 : 1_000))
const SEED = Number(process.env['VIEWING_SEED'] ?? 1895)

describe.each(DATABASES)('undo of viewings on %s', (_name, openTestDatabase) => {
  it(`after ${STEP_COUNT} random changes and undos, undoing all remaining changes restores the original rows`, async () => {
    const household = await startViewingHousehold(await openTestDatabase())
    const { server, device, profilePath, movieId, adultMovieId, seriesId } = household
    const drawInteger = createIntegerGenerator(SEED)
    const pickRandomValue = <T>(values: readonly T[]) => values[drawInteger(values.length)] as T
    const account = await server.database.primary.selectFrom('account').selectAll().executeTakeFirstOrThrow()
    const context = {
      deps: server.deps,
      caller: {
        account,
        login: { time_zone: null },
        profile: { profile_id: device.profileId, kids: 0 },
        profiles: [],
        audience: Audience.unrestricted,
      },
    } as unknown as ProfileContext

    await device.put(`${profilePath}/watchlist/movie/${movieId}`)
    await device.put(`${profilePath}/watchlist/tv/${seriesId}/state/watching`)
    await device.post(`${profilePath}/history`, {
      type: 'tv',
      media_id: seriesId,
      season: 1,
      episode: 2,
      progress: 900,
      data: { video_duration: 3_000 },
    })
    const pickRandomScope = (): ViewingScope => {
      if (drawInteger(4) === 0)
        return { type: 'movie', media_id: pickRandomValue([movieId, adultMovieId]), scope: 'title' }
      const scope = pickRandomValue(['title', 'season', 'episode', 'up_to'] as const)
      return {
        type: 'tv',
        media_id: seriesId,
        scope,
        season: pickRandomValue([0, 1, 2]),
        episode: 1 + drawInteger(3),
      }
    }
    const applyRandomChange = async (editKey: string): Promise<void> => {
      const randomKind = drawInteger(12)
      if (randomKind < 6) {
        const date = pickRandomValue(['now', 'release', 'chosen'] as const)
        const day = `2019-0${1 + drawInteger(9)}-15`
        const scopes = Array.from({ length: 1 + drawInteger(2) }, pickRandomScope)
        await edits.markSeen(context, { key: editKey, scopes, date, again: drawInteger(2) === 0, day })
        return
      }
      if (randomKind === 6) {
        await edits.removeViewings(context, { key: editKey, scopes: [pickRandomScope()] })
        return
      }
      const { results } = await listViewings(context, { limit: 100 })
      const viewing = pickRandomValue(results)
      if (!viewing) return
      const { media, season, episode, name, watched_at } = viewing
      const viewingRef = { type: media.type, media_id: media.id, season, episode, name, watched_at }
      if (randomKind < 9) await edits.removeViewings(context, { key: editKey, viewings: [viewingRef] })
      else if (randomKind < 11) {
        const note = pickRandomValue([null, 'Good.', 'Twice:\nonce alone, once together.'])
        await edits.changeViewingNote(context, { key: editKey, viewing: viewingRef, note })
      } else
        await edits.changeViewingDate(context, {
          key: editKey,
          viewing: viewingRef,
          day: `2018-0${1 + drawInteger(9)}-20`,
        })
    }

    const rowsBefore = await readViewingsProgressAndWatchlist(household)
    const undoableKeys: string[] = []
    const countsByOutcome = { changed: 0, undone: 0, conflicts: 0, rejected: 0 }
    for (let stepIndex = 0; stepIndex < STEP_COUNT; stepIndex += 1) {
      server.advanceClock(1_000)
      const isUndo = drawInteger(3) === 0 && undoableKeys.length > 0
      // About half of the undos undo the last change, because users mostly undo their last change.
      const keyIndex = drawInteger(2) === 0 ? undoableKeys.length - 1 : drawInteger(undoableKeys.length || 1)
      const stateBefore = isUndo ? await readViewingsProgressAndWatchlist(household) : ''
      try {
        if (isUndo) {
          await edits.undoViewingEdit(context, undoableKeys[keyIndex] ?? '')
          undoableKeys.splice(keyIndex, 1)
          countsByOutcome.undone += 1
        } else {
          await applyRandomChange(`edit-${stepIndex}-key`)
          undoableKeys.push(`edit-${stepIndex}-key`)
          countsByOutcome.changed += 1
        }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        countsByOutcome[error.type === 'conflict' ? 'conflicts' : 'rejected'] += 1
        if (isUndo) expect(await readViewingsProgressAndWatchlist(household)).toBe(stateBefore)
      }
      // Undo is possible for a day. The test undoes all changes after 60 changes, long before the end of that day.
      if (undoableKeys.length > 60) await undoAll()
    }
    await undoAll()
    expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
    expect(Math.min(...Object.values(countsByOutcome))).toBeGreaterThan(STEP_COUNT / 200)
    await server.close()

    async function undoAll() {
      for (const editKey of undoableKeys.splice(0).reverse()) {
        const storedEdit = await server.database.primary
          .selectFrom('viewing_edit')
          .select('edit_key')
          .where('edit_key', '=', editKey)
          .executeTakeFirst()
        if (storedEdit) await edits.undoViewingEdit(context, editKey)
      }
      expect(await readViewingsProgressAndWatchlist(household)).toBe(rowsBefore)
    }
  }, 600_000)
})
