/** Checks to which IP addresses the server connects for the configured host name of a media server. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConnection } from '../../../server/providers/media-server/connection.ts'
import { type StubServer, startStubServer } from './media-server-fixture.ts'

const HOST_NAME = 'media.example.org'
const SYSTEM_INFO = { ProductName: 'Jellyfin Server' }
let stub: StubServer

beforeAll(async () => {
  stub = await startStubServer(() => SYSTEM_INFO)
})
afterAll(() => stub.close())

it('a connection to a media server succeeds even if the host name looks public but resolves to a private IP address', async () => {
  const baseUrl = new URL(`http://${HOST_NAME}:${new URL(stub.url).port}`)
  const connection = createConnection({
    baseUrl,
    ownOriginHeaders: {},
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  expect(await connection.getJson('/System/Info/Public')).toEqual(SYSTEM_INFO)
})
