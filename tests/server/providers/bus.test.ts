import { describe, expect, it } from 'vitest'
import { type BusMessage, LocalEventBus } from '../../../server/providers/event-bus.ts'

describe('LocalEventBus', () => {
  it('delivers a message synchronously to every subscriber of the topic and to no other subscriber', () => {
    const bus = new LocalEventBus()
    const receivedMessages: [string, BusMessage][] = []
    bus.subscribe('profile:a', (message) => receivedMessages.push(['first', message]))
    bus.subscribe('profile:a', (message) => receivedMessages.push(['second', message]))
    bus.subscribe('profile:b', (message) => receivedMessages.push(['other', message]))
    bus.publish('profile:a', { kind: 'mylist' })
    expect(receivedMessages).toEqual([
      ['first', { kind: 'mylist' }],
      ['second', { kind: 'mylist' }],
    ])
  })

  it('stops delivery after `unsubscribe` is called, even if `unsubscribe` is called twice or during a delivery', () => {
    const bus = new LocalEventBus()
    const receivedMessages: string[] = []
    const unsubscribeFirst = bus.subscribe('jobs', () => {
      receivedMessages.push('first')
      unsubscribeFirst()
      unsubscribeFirst()
    })
    bus.subscribe('jobs', () => receivedMessages.push('second'))
    bus.publish('jobs', {})
    bus.publish('jobs', {})
    expect(receivedMessages).toEqual(['first', 'second', 'second'])
  })

  it('treats the same function subscribed twice as two subscriptions', () => {
    const bus = new LocalEventBus()
    let callCount = 0
    const listener = () => {
      callCount += 1
    }
    const unsubscribe = bus.subscribe('catalogue', listener)
    bus.subscribe('catalogue', listener)
    unsubscribe()
    bus.publish('catalogue', {})
    expect(callCount).toBe(1)
  })

  it('calls the other subscribers when one subscriber throws, and reports the error', () => {
    const errors: unknown[] = []
    const bus = new LocalEventBus((error) => errors.push(error))
    let callCount = 0
    bus.subscribe('jobs', () => {
      throw new Error('broken')
    })
    bus.subscribe('jobs', () => {
      callCount += 1
    })
    bus.publish('jobs', {})
    expect([callCount, errors.length]).toEqual([1, 1])
  })

  it('removes a topic when its last subscriber unsubscribes', () => {
    const bus = new LocalEventBus()
    bus.subscribe('profile:a', () => {})()
    expect(bus.hasListeners('profile:a')).toBe(false)
  })
})
