/**
 * Reads the training data of the recommendation engine: the catalogue and the signals of all profiles. The
 * training process imports this module.
 */
import { type AgeRating, getAgeOfRating } from '../../../src/lib/rules/maturity.ts'
import { type Database, type DatabaseLocation, openDatabase } from '../../db/database.ts'
import { readTrainingTitles, selectTrainingSignals } from '../../queries/training-data.ts'
import { interactionValues } from '../../recommend/constants.ts'
import { extractOverviewWords } from '../../recommend/overview-words.ts'
import { getRatingInteractionValue, getRatingSignal } from '../../recommend/rating-signal.ts'
import type { TrainingData } from '../../recommend/trainer.ts'
import type { TrainingInteraction, TrainingTitle } from '../../recommend/types.ts'

/**
 * Opens a separate database connection for the training process, which calls this function
 * (server/recommend/trainer.ts).
 */
export function openTrainingData(location: unknown): TrainingData {
  const database = openDatabase({ ...(location as DatabaseLocation), isBackground: true })
  return { ...createTrainingSource(database), close: () => database.close() }
}

export function createTrainingSource({
  reader,
  primary,
}: Pick<Database, 'reader' | 'primary'>): TrainingData {
  return {
    async *readTitles(): AsyncGenerator<TrainingTitle> {
      for await (const row of readTrainingTitles(reader)) {
        const castCredits = row.credits.filter((credit) => credit.kind === 'cast')
        const crewCredits = row.credits.filter((credit) => credit.kind === 'crew')
        const isDirectorOrCreator = (job: string) => job === 'Director' || job === 'Creator'
        yield {
          key: row.title_id,
          type: row.type as TrainingTitle['type'],
          name: row.sort_title,
          genres: row.genres,
          keywords: row.keywords,
          cast: castCredits.map((credit) => credit.person_id),
          directors: crewCredits
            .filter((credit) => isDirectorOrCreator(credit.job))
            .map((credit) => credit.person_id),
          crew: crewCredits
            .filter((credit) => !isDirectorOrCreator(credit.job))
            .map((credit) => credit.person_id),
          language: row.language,
          year: row.year,
          rating: row.rating,
          votes: row.rating_votes,
          popularity: row.popularity,
          overviewTokens: row.overview ? extractOverviewWords(row.overview) : [],
          kids: row.safe_for_kids === 1,
          age: row.rated === null ? null : getAgeOfRating(row.rated as AgeRating),
          guide: row.guide_levels,
        }
      }
    },
    async *readInteractions(): AsyncGenerator<TrainingInteraction> {
      const { feedback, ratings, progress, watchlist } = await selectTrainingSignals(primary)
      const profileNumbersById = new Map<string, number>()
      const getOrAssignProfileNumber = (profileId: string) => {
        const profileNumber = profileNumbersById.get(profileId) ?? profileNumbersById.size
        profileNumbersById.set(profileId, profileNumber)
        return profileNumber
      }
      const toInteraction = (
        row: { profile_id: string; title_id: number },
        atMs: number,
        interactionValue: number,
      ) => ({
        profile: getOrAssignProfileNumber(row.profile_id),
        titleKey: row.title_id,
        at: atMs,
        value: interactionValue,
      })
      const {
        liked: likedValue,
        disliked: dislikedValue,
        completed: completedValue,
        watched: watchedValue,
        in_list: inListValue,
      } = interactionValues
      for (const row of watchlist)
        yield toInteraction(row, row.updated_at, row.state === 'completed' ? completedValue : inListValue)
      for (const row of progress)
        yield toInteraction(row, Number(row.at), Number(row.finished) > 0 ? completedValue : watchedValue)
      const ratingsByProfileAndTitle = new Map(
        ratings.map((row) => [`${row.profile_id} ${row.title_id}`, row]),
      )
      for (const row of feedback) {
        const ratingKey = `${row.profile_id} ${row.title_id}`
        const ratingRow = ratingsByProfileAndTitle.get(ratingKey)
        ratingsByProfileAndTitle.delete(ratingKey)
        yield toInteraction(
          row,
          Math.max(row.updated_at, ratingRow?.updated_at ?? 0),
          ratingRow && getRatingSignal(ratingRow.rating).kind === row.feedback
            ? getRatingInteractionValue(ratingRow.rating)
            : row.feedback === 'liked'
              ? likedValue
              : dislikedValue,
        )
      }
      for (const row of ratingsByProfileAndTitle.values())
        yield toInteraction(row, row.updated_at, getRatingInteractionValue(row.rating))
    },
  }
}
