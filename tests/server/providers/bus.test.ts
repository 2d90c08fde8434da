import { describe, expect, it } from 'vitest'
import { type BusMessage, LocalEventBus } from '../../../server/providers/event-bus.ts'

describe('the bus inside one process', () => {
  it('reaches every listener of the topic at once, and no other', () => {
    const bus = new LocalEventBus()
    const heard: [string, BusMessage][] = []
    bus.subscribe('profile:a', (message) => heard.push(['first', message]))
    bus.subscribe('profile:a', (message) => heard.push(['second', message]))
    bus.subscribe('profile:b', (message) => heard.push(['other', message]))
    bus.publish('profile:a', { kind: 'mylist' })
    expect(heard).toEqual([
      ['first', { kind: 'mylist' }],
      ['second', { kind: 'mylist' }],
    ])
  })

  it('stops at the end of a subscription, also one ended twice or while news is given out', () => {
    const bus = new LocalEventBus()
    const heard: string[] = []
    const endFirst = bus.subscribe('jobs', () => {
      heard.push('first')
      endFirst()
      endFirst()
    })
    bus.subscribe('jobs', () => heard.push('second'))
    bus.publish('jobs', {})
    bus.publish('jobs', {})
    expect(heard).toEqual(['first', 'second', 'second'])
  })

  it('counts the same function subscribed twice as two', () => {
    const bus = new LocalEventBus()
    let heard = 0
    const listener = () => {
      heard += 1
    }
    const end = bus.subscribe('catalogue', listener)
    bus.subscribe('catalogue', listener)
    end()
    bus.publish('catalogue', {})
    expect(heard).toBe(1)
  })

  it('goes on to the next listener when one throws, and tells of it', () => {
    const errors: unknown[] = []
    const bus = new LocalEventBus((error) => errors.push(error))
    let heard = 0
    bus.subscribe('jobs', () => {
      throw new Error('broken')
    })
    bus.subscribe('jobs', () => {
      heard += 1
    })
    bus.publish('jobs', {})
    expect([heard, errors.length]).toEqual([1, 1])
  })

  it('keeps nothing of topics that nobody listens to any more', () => {
    const bus = new LocalEventBus()
    bus.subscribe('profile:a', () => {})()
    expect(bus.hasListeners('profile:a')).toBe(false)
  })
})
