import { expect, test } from 'vitest'
import { groupNotices } from '../../src/lib/rules/notice-groups.ts'

const createNotice = (mediaId: string, episode: number | undefined, overrides: object = {}) => ({
  notification_id: `${mediaId}.${episode}`,
  kind: episode === undefined ? 'high_quality' : 'episode',
  media: { type: 'tv', id: mediaId },
  ...(episode !== undefined && { season: 1, episode }),
  created_at: '2026-11-28T10:00:00.000Z',
  seen: false,
  ...overrides,
})
const listGroupIds = (notices: ReturnType<typeof createNotice>[]) =>
  groupNotices(notices).map((group) => group.map(({ notification_id }) => notification_id).join(' '))

test('consecutive episodes of a season that were released together form one group, even if other notices are listed between them', () => {
  const notices = [createNotice('a', 3), createNotice('b', 3), createNotice('a', 2), createNotice('a', 1)]
  expect(listGroupIds(notices)).toEqual(['a.1 a.2 a.3', 'b.3'])
})

test('episodes of one series are in separate groups if an episode between them is missing, or if season, release time or seen state differ', () => {
  expect(listGroupIds([createNotice('a', 5), createNotice('a', 2), createNotice('a', 1)])).toEqual([
    'a.5',
    'a.1 a.2',
  ])
  for (const overrides of [{ season: 2 }, { created_at: '2026-11-27T10:00:00.000Z' }, { seen: true }])
    expect(listGroupIds([createNotice('a', 2), createNotice('a', 1, overrides)])).toEqual(['a.2', 'a.1'])
})

test('notices without an episode are not grouped', () => {
  const notices = [createNotice('a', undefined), createNotice('b', undefined)]
  expect(listGroupIds(notices)).toEqual(['a.undefined', 'b.undefined'])
})
