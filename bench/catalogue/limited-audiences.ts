/** Profiles with limits, for which the benchmark measures lists and searches. */
import type { DatabaseSync } from 'node:sqlite'
import { GUIDE_KEYS, getGuideShift } from '../../src/lib/rules/maturity.ts'
import { TestClient } from '../../tests/support/test-client.ts'

/** Number of title rules of each kind (always shown, never shown) that each audience gets. */
const TITLE_RULES_PER_KIND = 100

export interface LimitedAudience {
  name: string
  /** Client that sends requests as the limited profile. */
  device: TestClient
}

/** Gives nine of ten titles a parental guide with mixed severities, because generated titles have no guide. */
export function addParentalGuides(sqlite: DatabaseSync): void {
  const guideLevelExpressions = GUIDE_KEYS.map(
    (_, index) => `((1 + (title_id / ${index + 2}) % 4) << ${getGuideShift(index)})`,
  )
  sqlite.exec(`update title set guide_levels = ${guideLevelExpressions.join(' | ')} where title_id % 10 > 0`)
}

/**
 * Creates a kids profile, a profile that sees most titles, and a profile that sees about 1 % of the titles. Each
 * profile has title rules.
 */
export async function createLimitedAudiences(
  adult: TestClient,
  sqlite: DatabaseSync,
  titleCount: number,
): Promise<LimitedAudience[]> {
  const mildLimits = { sex: 'mild', violence: 'mild', profanity: 'mild', substances: 'mild', fright: 'mild' }
  const profiles = [
    { name: 'kids', kids: true, limits: { max_age: 7 } },
    { name: 'broad', kids: false, limits: { max_age: 14 } },
    { name: 'narrow', kids: false, limits: { max_age: 13, guide: mildLimits } },
  ]
  const audiences: LimitedAudience[] = []
  for (const { name, kids, limits } of profiles) {
    const { body } = await adult.post('/api/profile', { name, kids, avatar: 1 })
    const { status } = await adult.put(`/api/profile/${body.profile_id}/limits`, limits)
    if (status !== 200) throw new Error(`the limits of ${name} were not saved: ${status}`)
    const insertRule = sqlite.prepare(
      'insert into title_rule (profile_id, title_id, rule, created_at) values (?, ?, ?, 0)',
    )
    for (let index = 0; index < TITLE_RULES_PER_KIND * 2; index++)
      insertRule.run(body.profile_id, 1 + ((index * 7_919) % titleCount), index % 2 ? 'allow' : 'deny')
    // Increments the version, so that the server reads the rules of the profile again.
    sqlite
      .prepare(
        'update profile set audience_version = audience_version + 1, denied_title_count = ? where profile_id = ?',
      )
      .run(TITLE_RULES_PER_KIND, body.profile_id)
    const device = new TestClient(adult.server)
    audiences.push({
      name,
      device: Object.assign(device, { accessToken: adult.accessToken, profileId: body.profile_id }),
    })
  }
  return audiences
}
