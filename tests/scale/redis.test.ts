/**
 * Event bus, cache and quota shared between processes through a real Redis, and their local fallback while Redis is
 * down.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createRedisCache } from '../../server/providers/cache.ts'
import { type EventBus, LocalEventBus } from '../../server/providers/event-bus.ts'
import { createRedisQuota, type Quota } from '../../server/providers/quota.ts'
import { connectRedis, type RedisConnection } from '../../server/providers/redis.ts'
import { createRedisEventBus } from '../../server/providers/redis-event-bus.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { waitUntilReady } from '../support/test-service.ts'

let redis: TestRedis
const openConnections: RedisConnection[] = []
beforeAll(async () => {
  redis = await startRedis()
}, 300_000)
afterAll(() => redis.stop())
afterEach(async () => {
  redis.resume()
  for (const connection of openConnections.splice(0)) await connection.close()
})

const isResponding = (connection: RedisConnection) =>
  connection.tryCommand((client) => client.ping()).then((pong) => pong === 'PONG')
async function connectToRedis(): Promise<RedisConnection> {
  const connection = connectRedis(redis.getUrl())
  openConnections.push(connection)
  await waitUntilReady(() => isResponding(connection))
  return connection
}

/**
 * Opens two event buses with separate connections to Redis, as two processes do. Returns once the subscription of the
 * second bus is active, because Redis does not deliver messages that were published before the subscription.
 */
async function openBuses() {
  const [firstBus, secondBus] = [
    createRedisEventBus(await connectToRedis(), new LocalEventBus()),
    createRedisEventBus(await connectToRedis(), new LocalEventBus()),
  ]
  const receivedMessages: unknown[] = []
  secondBus.subscribe('profile:a', (message) => receivedMessages.push(message))
  let sequence = 0
  await waitUntilReady(async () => {
    firstBus.publish('profile:a', { sequence: sequence++ })
    return receivedMessages.length > 0
  })
  const lastSequence = sequence - 1
  await waitUntilReady(async () =>
    receivedMessages.some((message) => (message as { sequence: number }).sequence === lastSequence),
  )
  receivedMessages.length = 0
  return { firstBus, secondBus, receivedMessages }
}

it('the event bus delivers each message once and in order to both processes', async () => {
  const { firstBus, secondBus, receivedMessages } = await openBuses()
  const ownMessages: unknown[] = []
  firstBus.subscribe('profile:a', (message) => ownMessages.push(message))
  for (let sequence = 0; sequence < 500; sequence += 1) firstBus.publish('profile:a', { n: sequence })
  firstBus.publish('profile:b', { n: 'other' })
  await waitUntilReady(async () => receivedMessages.length >= 500)
  const expectedMessages = Array.from({ length: 500 }, (_, sequence) => ({ n: sequence }))
  expect(receivedMessages).toEqual(expectedMessages)
  expect(ownMessages).toEqual(expectedMessages)
  await secondBus.close()
})

it('the event bus delivers messages as soon as a subscription is active, even right after the previous subscription ended', async () => {
  const [firstBus, secondBus] = [
    createRedisEventBus(await connectToRedis(), new LocalEventBus()),
    createRedisEventBus(await connectToRedis(), new LocalEventBus()),
  ]
  const receivedMessages: unknown[] = []
  for (let round = 0; round < 50; round += 1) {
    const unsubscribe = secondBus.subscribe('account:a', (message) => receivedMessages.push(message))
    await secondBus.whenSubscribed('account:a')
    firstBus.publish('account:a', { round })
    await waitUntilReady(async () => receivedMessages.length === round + 1, 2_000)
    unsubscribe()
  }
  expect(receivedMessages).toEqual(Array.from({ length: 50 }, (_, round) => ({ round })))
})

it('after Redis was down, the event bus reports to both processes that messages may have been lost', async () => {
  const { firstBus, secondBus } = await openBuses()
  const notifiedBuses: string[] = []
  firstBus.onGap(() => notifiedBuses.push('first'))
  secondBus.onGap(() => notifiedBuses.push('second'))
  await redis.crash()
  firstBus.publish('profile:a', { lost: true })
  await redis.start()
  await waitUntilReady(async () => {
    firstBus.publish('profile:a', {})
    return notifiedBuses.includes('first') && notifiedBuses.includes('second')
  })
})

it.each([
  ['out of memory', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
  [
    'rejecting writes because it has too few replicas',
    'CONFIG SET min-replicas-to-write 1',
    'CONFIG SET min-replicas-to-write 0',
  ],
  ['denying access to the keys', 'ACL SETUSER default resetkeys', 'ACL SETUSER default allkeys'],
])(
  'the event bus delivers every message and reports no gap while Redis is %s',
  async (_fault, faultCommand, normalCommand) => {
    const { firstBus, secondBus, receivedMessages } = await openBuses()
    const connection = openConnections.at(-2) as RedisConnection
    const cache = createRedisCache(connection)
    const quota = createRedisQuota(connection)
    const notifiedBuses: string[] = []
    for (const bus of [firstBus, secondBus]) bus.onGap(() => notifiedBuses.push('gap'))
    const client = createClient({ url: redis.getUrl() })
    await client.connect()
    await client.sendCommand(faultCommand.split(' '))
    try {
      for (let sequence = 0; sequence < 3; sequence += 1) {
        cache.set(`reply ${sequence}`, 'text', 60_000)
        await quota.consume('bucket', 100, 60_000)
        // Redis replies in order. When the reply to this read has arrived, the write before it has failed or succeeded.
        await cache.get('missing')
        firstBus.publish('profile:a', { sequence })
      }
      await waitUntilReady(async () => receivedMessages.length === 3)
      expect(notifiedBuses).toEqual([])
    } finally {
      await client.sendCommand(normalCommand.split(' '))
      client.destroy()
    }
  },
)

it('while Redis denies access to channels, the event bus reports at most one gap', async () => {
  const { firstBus, receivedMessages, secondBus } = await openBuses()
  const cache = createRedisCache(openConnections.at(-2) as RedisConnection)
  let gapCount = 0
  firstBus.onGap(() => {
    gapCount += 1
  })
  const client = createClient({ url: redis.getUrl() })
  await client.connect()
  await client.sendCommand('ACL SETUSER default resetchannels'.split(' '))
  try {
    for (const endMs = performance.now() + 3_000; performance.now() < endMs; ) {
      firstBus.publish('profile:a', {})
      await cache.get('missing')
      await pause(20)
    }
    // Redis closes the connection of the subscriber. The event bus may report this as one gap.
    expect(gapCount).toBeLessThanOrEqual(1)
  } finally {
    await client.sendCommand('ACL SETUSER default allchannels'.split(' '))
    client.destroy()
  }
  secondBus.subscribe('profile:a', () => {})
  await waitUntilReady(async () => {
    firstBus.publish('profile:a', { isAllowed: true })
    return receivedMessages.some((message) => (message as { isAllowed?: boolean }).isAllowed)
  })
})

it('the event bus delivers messages inside the process immediately, even while Redis does not respond', async () => {
  const bus = createRedisEventBus(await connectToRedis(), new LocalEventBus())
  const receivedMessages: unknown[] = []
  bus.subscribe('jobs', (message) => receivedMessages.push(message))
  redis.pause()
  bus.publish('jobs', { now: true })
  expect(receivedMessages).toEqual([{ now: true }])
})

it('the cache shares values between processes, and clearing the cache in one process clears the cache for all processes', async () => {
  const [firstCache, secondCache] = [
    createRedisCache(await connectToRedis()),
    createRedisCache(await connectToRedis()),
  ]
  firstCache.set('key', 'value', 60_000)
  await waitUntilReady(async () => (await secondCache.get('key')) === 'value')
  expect(await secondCache.clear()).toBe(true)
  expect(await secondCache.get('key')).toBeUndefined()
  const thirdCache = createRedisCache(await connectToRedis())
  expect(await thirdCache.get('key')).toBeUndefined()
})

it('two installations with different Redis database numbers have separate caches', async () => {
  const otherConnection = connectRedis(redis.getUrl(7))
  openConnections.push(otherConnection)
  await waitUntilReady(() => isResponding(otherConnection))
  const [cache, otherCache] = [createRedisCache(await connectToRedis()), createRedisCache(otherConnection)]
  cache.set('mine', 'x', 60_000)
  await otherCache.clear()
  const sameDatabaseCache = createRedisCache(await connectToRedis())
  await waitUntilReady(async () => (await sameDatabaseCache.get('mine')) === 'x')
  expect(await otherCache.get('mine')).toBeUndefined()
})

it('a quota counts the requests of all processes, but counts each process separately while Redis is down', async () => {
  const [firstQuota, secondQuota] = [
    createRedisQuota(await connectToRedis()),
    createRedisQuota(await connectToRedis()),
  ]
  const consumeQuotas = async (quotas: Quota[]) => {
    const rejectionFlags = []
    for (const quota of quotas) rejectionFlags.push((await quota.consume('a', 4, 60_000)) > 0)
    return rejectionFlags
  }
  expect(
    await consumeQuotas([firstQuota, secondQuota, firstQuota, secondQuota, firstQuota, secondQuota]),
  ).toEqual([false, false, false, false, true, true])
  await redis.crash()
  for (const quota of [firstQuota, secondQuota])
    expect(await consumeQuotas(Array(6).fill(quota))).toEqual([false, false, false, false, true, true])
  await redis.start()
})

it('the first command to an unresponsive Redis fails within 400 ms, and later commands fail immediately', async () => {
  const connection = await connectToRedis()
  redis.pause()
  const firstCallStartMs = performance.now()
  expect(await connection.tryCommand((client) => client.get('x'))).toBeUndefined()
  expect(performance.now() - firstCallStartMs).toBeLessThan(400)
  const skippedCallStartMs = performance.now()
  for (let requestIndex = 0; requestIndex < 100; requestIndex += 1)
    expect(await connection.tryCommand((client) => client.get('x'))).toBeUndefined()
  expect(performance.now() - skippedCallStartMs).toBeLessThan(50)
  redis.resume()
  await waitUntilReady(() => isResponding(connection))
})

it('if Redis is down when a connection is opened, the connection is established after Redis has started', async () => {
  await redis.crash()
  const connection = connectRedis(redis.getUrl())
  openConnections.push(connection)
  expect(await connection.tryCommand((client) => client.ping())).toBeUndefined()
  await redis.start()
  await waitUntilReady(() => isResponding(connection))
})

it('every key in Redis has the prefix of the cache or of quotas', async () => {
  const connection = await connectToRedis()
  await createRedisQuota(connection).consume('GET /search account', 10, 60_000)
  createRedisCache(connection).set('reply', 'text', 60_000)
  const client = createClient({ url: redis.getUrl() })
  await client.connect()
  const listKeyPrefixes = async () =>
    new Set((await client.keys('*')).map((key) => key.split(':').slice(0, 3).join(':')))
  // The cache does not wait until Redis has stored a value.
  await expect.poll(listKeyPrefixes).toEqual(new Set(['marquee:0:cache', 'marquee:0:quota']))
  client.destroy()
})

it('the event bus counts the other processes that subscribe to a topic, and counts none while Redis does not respond', async () => {
  const buses: EventBus[] = []
  for (let index = 0; index < 3; index += 1)
    buses.push(createRedisEventBus(await connectToRedis(), new LocalEventBus()))
  const [firstBus, secondBus, thirdBus] = buses as [EventBus, EventBus, EventBus]
  for (const bus of [firstBus, secondBus]) bus.subscribe('streams', () => {})
  for (const bus of buses) await bus.whenSubscribed('streams')
  const countProcesses = () => Promise.all(buses.map((bus) => bus.countOtherProcesses('streams')))
  await expect.poll(countProcesses, { timeout: 10_000 }).toEqual([1, 1, 2])
  redis.pause()
  expect(await thirdBus.countOtherProcesses('streams')).toBe(0)
})
