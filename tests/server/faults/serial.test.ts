/** The checker of the two devices: it allows what overlaps in either order, and nothing else. */
import { expect, it } from 'vitest'
import { type Deed, type Kind, states } from './serial.ts'

const deed = (device: number, kind: Kind, value: string, began: number, ended: number, at = 0): Deed => ({
  id: '1',
  kind,
  value,
  at,
  device,
  began,
  ended,
})

it('knows one end where nothing overlaps', () => {
  const deeds = [
    deed(0, 'in', '', 0, 1),
    deed(1, 'state', 'watching', 2, 3),
    deed(0, 'rate', 'liked', 4, 5),
    deed(1, 'favorite', 'true', 6, 7),
  ]
  expect([...states(deeds, 'list')]).toEqual(['watching'])
  expect([...states(deeds, 'feedback')]).toEqual(['liked'])
  expect([...states(deeds, 'favorite')]).toEqual(['true'])
  expect([...states([...deeds, deed(0, 'out', '', 8, 9)], 'list')]).toEqual(['out'])
})

it('knows both ends of what overlaps, and that a lost write is none of them', () => {
  const deeds = [deed(0, 'rate', 'liked', 0, 3), deed(1, 'rate', 'disliked', 1, 2)]
  expect([...states(deeds, 'feedback')].sort()).toEqual(['disliked', 'liked'])
  expect(states(deeds, 'feedback')).not.toContain('null')
})

it('lets no late report move progress back, but a reset', () => {
  const deeds = [deed(0, 'progress', '50', 0, 1, 20), deed(1, 'progress', '10', 2, 3, 10)]
  expect([...states(deeds, 'progress')]).toEqual(['50'])
  expect([...states([...deeds, deed(0, 'reset', '', 4, 5)], 'progress')]).toEqual(['none'])
})
