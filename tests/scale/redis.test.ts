/** What Redis does for several processes, on a real one; and that nothing but speed is lost with it. */
import { createClient } from '@redis/client'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createRedisCache } from '../../server/providers/cache.ts'
import { LocalEventBus } from '../../server/providers/event-bus.ts'
import { createRedisQuota } from '../../server/providers/quota.ts'
import { connectRedis, type RedisConnection as Link } from '../../server/providers/redis.ts'
import { createRedisEventBus } from '../../server/providers/redis-event-bus.ts'
import { type Redis, startRedis } from '../support/redis.ts'
import { untilOpen } from '../support/running.ts'

let redis: Redis
const open: Link[] = []
beforeAll(async () => {
  redis = await startRedis()
}, 300_000)
afterAll(() => redis.stop())
afterEach(async () => {
  redis.resume()
  for (const link of open.splice(0)) await link.close()
})

const answers = (link: Link) => link.tryCommand((client) => client.ping()).then((pong) => pong === 'PONG')
async function link(): Promise<Link> {
  const one = connectRedis(redis.url())
  open.push(one)
  await untilOpen(() => answers(one))
  return one
}

/** Two processes' buses; messages published before a subscription stands are not theirs to hear. */
async function buses() {
  const [one, two] = [
    createRedisEventBus(await link(), new LocalEventBus()),
    createRedisEventBus(await link(), new LocalEventBus()),
  ]
  const heard: unknown[] = []
  two.subscribe('profile:a', (message) => heard.push(message))
  let at = 0
  await untilOpen(async () => {
    one.publish('profile:a', { at: at++ })
    return heard.length > 0
  })
  const late = at - 1
  await untilOpen(async () => heard.some((message) => (message as { at: number }).at === late))
  heard.length = 0
  return { one, two, heard }
}

it('carries news from one process to the other, each message once, in order', async () => {
  const { one, two, heard } = await buses()
  const own: unknown[] = []
  one.subscribe('profile:a', (message) => own.push(message))
  for (let at = 0; at < 500; at += 1) one.publish('profile:a', { n: at })
  one.publish('profile:b', { n: 'other' })
  await untilOpen(async () => heard.length >= 500)
  const expected = Array.from({ length: 500 }, (_, n) => ({ n }))
  expect(heard).toEqual(expected)
  expect(own).toEqual(expected)
  await two.close()
})

it('tells both that news may be missing after Redis was away', async () => {
  const { one, two } = await buses()
  const gaps: string[] = []
  one.onGap(() => gaps.push('one'))
  two.onGap(() => gaps.push('two'))
  await redis.down()
  one.publish('profile:a', { lost: true })
  await redis.up()
  await untilOpen(async () => {
    one.publish('profile:a', {})
    return gaps.includes('one') && gaps.includes('two')
  })
})

it('delivers in the process at once, whatever Redis does', async () => {
  const bus = createRedisEventBus(await link(), new LocalEventBus())
  const heard: unknown[] = []
  bus.subscribe('jobs', (message) => heard.push(message))
  redis.pause()
  bus.publish('jobs', { now: true })
  expect(heard).toEqual([{ now: true }])
})

it('shares answers between processes, and forgets them all when asked', async () => {
  const [one, two] = [createRedisCache(await link()), createRedisCache(await link())]
  one.set('key', 'value', 60_000)
  await untilOpen(async () => (await two.get('key')) === 'value')
  expect(await two.clear()).toBe(true)
  expect(await two.get('key')).toBeUndefined()
  const three = createRedisCache(await link())
  expect(await three.get('key')).toBeUndefined()
})

it('keeps two installations apart by their database numbers', async () => {
  const other = connectRedis(redis.url(7))
  open.push(other)
  await untilOpen(() => answers(other))
  const [one, two] = [createRedisCache(await link()), createRedisCache(other)]
  one.set('mine', 'x', 60_000)
  await two.clear()
  const three = createRedisCache(await link())
  await untilOpen(async () => (await three.get('mine')) === 'x')
  expect(await two.get('mine')).toBeUndefined()
})

it('counts quotas over all processes, and for each while Redis is away', async () => {
  const [one, two] = [createRedisQuota(await link()), createRedisQuota(await link())]
  const waits = []
  for (let at = 0; at < 6; at += 1) waits.push(await (at % 2 ? two : one).consume('a', 4, 60_000))
  expect(waits.map((wait) => wait > 0)).toEqual([false, false, false, false, true, true])
  await redis.down()
  expect(await one.consume('a', 4, 60_000)).toBe(0)
  await redis.up()
})

it('gives up on a silent Redis in a moment, and then does not even ask', async () => {
  const one = await link()
  redis.pause()
  const started = performance.now()
  expect(await one.tryCommand((client) => client.get('x'))).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(400)
  const again = performance.now()
  for (let at = 0; at < 100; at += 1)
    expect(await one.tryCommand((client) => client.get('x'))).toBeUndefined()
  expect(performance.now() - again).toBeLessThan(50)
  redis.resume()
  await untilOpen(() => answers(one))
})

it('opens without a Redis, and finds it when it comes', async () => {
  await redis.down()
  const one = connectRedis(redis.url())
  open.push(one)
  expect(await one.tryCommand((client) => client.ping())).toBeUndefined()
  await redis.up()
  await untilOpen(() => answers(one))
})

it('writes nothing that names a person', async () => {
  const quota = createRedisQuota(await link())
  await quota.consume('GET /search account', 10, 60_000)
  const client = createClient({ url: redis.url() })
  await client.connect()
  const keys = await client.keys('*')
  client.destroy()
  for (const key of keys) expect(key).toMatch(/^marquee:0:(cache|quota):/)
})
