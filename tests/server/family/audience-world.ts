/**
 * A household with random limits, for tests that compare every response of the server with an independent model of
 * what the profiles may see. Each title has a marker: a made-up word that is part of the names and texts of this title
 * only. A response that contains the marker therefore names the title.
 */
import { importTitles } from '../../../server/importers/import-titles.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import type { ProfileLimits } from '../../../src/lib/contract/profile-limits.ts'
import { AGE_LIMITS, GUIDE_KEYS, GUIDE_LEVELS } from '../../../src/lib/rules/maturity.ts'
import { GUIDE_CATEGORIES, GUIDE_SEVERITIES } from '../../../src/lib/rules/parental-guide.ts'
import { createIntegerGenerator } from '../../support/random.ts'
import { insertTestAccount, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'

export type WorldTitle = {
  type: 'movie' | 'tv'
  marker: string
  record: TitleRecord
  id: string
  slug: string
  imdbId: string
  actorId: string
  actorSlug: string
  seasonId: string | undefined
  /** `poster_path` from the details of the title. */
  posterPath: string
}

/** A profile with the limits and title rules that the test has set. */
export interface WorldProfile {
  id: string
  name: string
  kids: boolean
  limits: ProfileLimits
  /** Title rules. The key is the marker of the title. */
  rules: Map<string, 'allow' | 'deny'>
}

export interface AudienceWorld {
  titles: WorldTitle[]
  /** A device on which the main profile, which has no limits, acts. */
  parent: TestClient
  /** A device on which the restricted profiles act. */
  device: TestClient
  mainId: string
  profiles: WorldProfile[]
}

type IntegerGenerator = (exclusiveMax: number) => number
const TITLES_PER_TYPE = 20
const AGE_RATINGS_BY_TYPE = {
  movie: ['All', '8+', '13+', '17+', '18+', null],
  tv: ['All', '7+', '8+', '14+', '17+', null],
} as const
const pickValue = <T>(drawInteger: IntegerGenerator, values: readonly T[]): T =>
  values[drawInteger(values.length)] as T

function createRecord(titleNumber: number, type: 'movie' | 'tv', drawInteger: IntegerGenerator): TitleRecord {
  const marker = buildTitleMarker(titleNumber, type)
  const today = new Date().toISOString().slice(0, 10)
  const ageRating = pickValue(drawInteger, AGE_RATINGS_BY_TYPE[type])
  const guideEntries = GUIDE_CATEGORIES.flatMap((category) =>
    drawInteger(4) === 0 ? [] : [{ category, severity: pickValue(drawInteger, GUIDE_SEVERITIES), votes: 3 }],
  )
  const titleText = `Lantern ${marker}`
  return {
    type,
    imdb_id: `tt${7_000_000 + titleNumber + (type === 'tv' ? 1_000 : 0)}`,
    original_title: titleText,
    language: 'en',
    names: [
      { lang: 'en', text: titleText, role: 'main' },
      { lang: 'fr', text: `Lanterne ${marker}`, role: 'aka' },
    ],
    release_date: today,
    genres: [16, 10751],
    ...(ageRating && { rated: ageRating }),
    rating: 8,
    rating_votes: 5_000 + titleNumber,
    safe_for_kids: drawInteger(2) === 0,
    high_quality: true,
    networks: type === 'tv' ? ['netflix'] : [],
    texts: [{ lang: 'en', overview: `${marker} is lit.`, tagline: `${marker} shines.` }],
    keywords: ['lantern'],
    cast: [
      { person: { name: 'Common Player' }, character: `${marker} keeper` },
      { person: { name: `Player ${marker}`, biography: `${marker} life` } },
    ],
    crew: [],
    parental_guide: drawInteger(4) === 0 ? [] : guideEntries,
    seasons:
      type === 'tv'
        ? [
            {
              season_number: 1,
              name: `${marker} one`,
              air_date: today,
              episodes: [{ episode_number: 1, name: `${marker} night`, overview: marker, air_date: today }],
            },
          ]
        : [],
  }
}

/**
 * Returns the marker of a title. A marker contains only letters, so that search does not read a part of the marker as
 * a number. No marker is contained in another marker.
 */
function buildTitleMarker(titleNumber: number, type: 'movie' | 'tv'): string {
  const getLetter = (digit: number) => 'bcdfghjklm'[digit % 10]
  return `zq${type === 'movie' ? 'x' : 'w'}${getLetter(Math.floor(titleNumber / 10))}${getLetter(titleNumber)}vex`
}

export async function createAudienceWorld(server: TestServer, seed: number): Promise<AudienceWorld> {
  const drawInteger = createIntegerGenerator(seed)
  const records = Array.from({ length: TITLES_PER_TYPE }, (_, titleNumber) =>
    (['movie', 'tv'] as const).map((type) => createRecord(titleNumber, type, drawInteger)),
  ).flat()
  await importTitles(
    server.deps,
    records.map((record, index) => ({ location: String(index), record })),
    { source: 'test' },
  )
  await insertTestAccount(server, 'parent@example.org')
  const parent = new TestClient(server)
  await parent.login('parent@example.org')
  const createProfile = async (name: string): Promise<string> =>
    (await parent.post('/api/profile', { name, avatar: 1 })).body.profile_id
  const mainId = await createProfile('Main')
  parent.profileId = mainId
  const titles: WorldTitle[] = []
  for (const record of records) titles.push(await loadTitle(parent, record))
  const profiles: WorldProfile[] = []
  for (const name of ['Ada', 'Ben', 'Cleo']) {
    const id = await createProfile(name)
    profiles.push({ id, name, kids: false, limits: createEmptyLimits(), rules: new Map() })
    await storeProfileData(parent, id, titles)
  }
  await server.deps.recommender.refresh()
  const device = new TestClient(server)
  await device.login('parent@example.org')
  return { titles, parent, device, mainId, profiles }
}

const createEmptyLimits = (): ProfileLimits => ({ max_age: null, guide: {}, accepts_unknown_guide: false })

async function loadTitle(parent: TestClient, record: TitleRecord): Promise<WorldTitle> {
  const type = record.type as 'movie' | 'tv'
  const listName = type === 'movie' ? 'movies' : 'series'
  const marker = record.original_title.split(' ')[1] as string
  const { body } = await parent.get(`/api/${listName}/slug/lantern-${marker}`)
  const actor = body.cast.find((person: { name: string }) => person.name.includes(marker))
  return {
    type,
    marker,
    record,
    id: body.id,
    slug: body.slug,
    imdbId: body.imdb_id,
    actorId: actor.actor_id,
    actorSlug: actor.slug,
    seasonId: body.seasons?.[0]?.id,
    posterPath: body.poster_path,
  }
}

/**
 * Stores watchlist entries, feedback, ratings, progress, a named list and notices for a profile. Limits that the test
 * sets later hide some of the titles to which this data refers.
 */
async function storeProfileData(
  parent: TestClient,
  profileId: string,
  titles: readonly WorldTitle[],
): Promise<void> {
  for (const [index, title] of titles.entries()) {
    const titlePath = `${title.type}/${title.id}`
    if (index % 2 === 0) await parent.put(`/api/profile/${profileId}/watchlist/${titlePath}/state/watching`)
    if (index % 3 === 0)
      await parent.put(`/api/profile/${profileId}/feedback/${titlePath}`, { feedback: 'like' })
    if (index % 5 === 0) await parent.put(`/api/profile/${profileId}/ratings/${titlePath}`, { rating: 8 })
    if (index % 2 === 1) {
      const episode = title.type === 'tv' ? { season: 1, episode: 1 } : {}
      await parent.post(`/api/profile/${profileId}/history`, {
        type: title.type,
        media_id: title.id,
        ...episode,
        progress: index % 4 === 1 ? 590 : 200,
        data: { video_duration: 600 },
      })
    }
  }
  const { body } = await parent.post(`/api/profile/${profileId}/lists`, { name: 'Mixed', shared: true })
  await parent.put(`/api/profile/${profileId}/lists/${body.list_id}/titles`, {
    titles: titles.slice(0, 12).map((title) => ({ type: title.type, media_id: title.id, included: true })),
  })
  await parent.get(`/api/profile/${profileId}/notifications/movies`)
  await parent.get(`/api/profile/${profileId}/notifications/episodes`)
}

/** Sets random limits and title rules for every profile, with the requests that a parent sends. */
export async function setRandomLimits(
  { parent, profiles, titles }: AudienceWorld,
  drawInteger: IntegerGenerator,
): Promise<void> {
  for (const profile of profiles) {
    profile.kids = drawInteger(3) === 0
    profile.limits = {
      max_age: drawInteger(2) === 0 ? null : pickValue(drawInteger, AGE_LIMITS),
      guide: Object.fromEntries(
        GUIDE_KEYS.flatMap((guideKey) =>
          drawInteger(4) === 0 ? [[guideKey, pickValue(drawInteger, GUIDE_LEVELS)]] : [],
        ),
      ),
      accepts_unknown_guide: drawInteger(2) === 0,
    }
    await expectSuccess(parent.put(`/api/profile/${profile.id}`, { kids: profile.kids }))
    await expectSuccess(parent.put(`/api/profile/${profile.id}/limits`, profile.limits))
    const markers = new Set([
      ...profile.rules.keys(),
      pickValue(drawInteger, titles).marker,
      pickValue(drawInteger, titles).marker,
    ])
    for (const title of titles.filter(({ marker }) => markers.has(marker))) {
      const rule = pickValue(drawInteger, ['allow', 'deny', null] as const)
      const path = `/api/profile/${profile.id}/title-rules/${title.type}/${title.id}`
      await expectSuccess(parent.put(path, { rule }))
      if (rule) profile.rules.set(title.marker, rule)
      else profile.rules.delete(title.marker)
    }
  }
}

async function expectSuccess(response: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await response
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
}

/** Returns whether one profile may see a title, by a model that shares no code with the server. */
export function canProfileSeeTitle(
  { kids, limits, rules }: WorldProfile,
  { marker, record }: WorldTitle,
): boolean {
  const rule = rules.get(marker)
  if (rule) return rule === 'allow'
  if (kids && !record.safe_for_kids) return false
  if (limits.max_age !== null) {
    if (!record.rated) return false
    const minimumAgeYears = record.rated === 'All' ? 0 : Number(record.rated.replace('+', ''))
    if (minimumAgeYears > limits.max_age) return false
  }
  return GUIDE_KEYS.every((guideKey, index) => {
    const guideLimit = limits.guide[guideKey]
    if (!guideLimit) return true
    const guideEntry = record.parental_guide.find(({ category }) => category === GUIDE_CATEGORIES[index])
    if (!guideEntry) return limits.accepts_unknown_guide
    return GUIDE_SEVERITIES.indexOf(guideEntry.severity) <= ['none', 'mild', 'moderate'].indexOf(guideLimit)
  })
}

/** Returns the titles that all profiles of a group may see. */
export const listVisibleTitles = (
  profiles: readonly WorldProfile[],
  titles: readonly WorldTitle[],
): WorldTitle[] => titles.filter((title) => profiles.every((profile) => canProfileSeeTitle(profile, title)))
