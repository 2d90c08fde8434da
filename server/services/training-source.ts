/** The catalogue and what profiles did, as the recommendation engine learns them; a worker imports this module. */
import { type Database, openDatabase } from '../db/open.ts'
import { trainingDeeds, trainingTitles } from '../queries/training.ts'
import { interactionValues } from '../recommend/constants.ts'
import type { Told } from '../recommend/trainer.ts'
import type { Interaction, Title } from '../recommend/types.ts'
import { overviewWords } from '../recommend/words.ts'

export interface Where {
  dataDir: string
  url: string | undefined
}

export function open(where: unknown): Told {
  const database = openDatabase(where as Where)
  return { ...toldBy(database), close: () => database.close() }
}

export function toldBy({ reader, primary }: Pick<Database, 'reader' | 'primary'>): Told {
  return {
    async *titles(): AsyncGenerator<Title> {
      for await (const row of trainingTitles(reader)) {
        const cast = row.credits.filter((credit) => credit.kind === 'cast')
        const crew = row.credits.filter((credit) => credit.kind === 'crew')
        const leads = (job: string) => job === 'Director' || job === 'Creator'
        yield {
          key: row.title_id,
          type: row.type as Title['type'],
          genres: row.genres,
          keywords: row.keywords,
          cast: cast.map((credit) => credit.person_id),
          directors: crew.filter((credit) => leads(credit.job)).map((credit) => credit.person_id),
          crew: crew.filter((credit) => !leads(credit.job)).map((credit) => credit.person_id),
          language: row.language,
          year: row.year,
          rating: row.rating,
          votes: row.rating_votes,
          popularity: row.popularity,
          overviewTokens: row.overview ? overviewWords(row.overview) : [],
          kids: row.safe_for_kids === 1,
        }
      }
    },
    async *interactions(): AsyncGenerator<Interaction> {
      const { feedback, progress, listed } = await trainingDeeds(primary)
      const numbers = new Map<string, number>()
      const numberOf = (profileId: string) => {
        const known = numbers.get(profileId) ?? numbers.size
        numbers.set(profileId, known)
        return known
      }
      const met = (row: { profile_id: string; title_id: number }, at: number, value: number) => ({
        profile: numberOf(row.profile_id),
        titleKey: row.title_id,
        at,
        value,
      })
      const { liked, disliked, completed, watched, in_list } = interactionValues
      for (const row of listed)
        yield met(row, row.updated_at, row.state === 'completed' ? completed : in_list)
      for (const row of progress)
        yield met(row, Number(row.at), Number(row.finished) > 0 ? completed : watched)
      for (const row of feedback) yield met(row, row.updated_at, row.feedback === 'liked' ? liked : disliked)
    },
  }
}
