/**
 * Several requests that are sent at the same time and change the same secret. Each request contains the current secret.
 * Only one of them succeeds, as if they had been sent one after the other. Otherwise, somebody who knew the old secret
 * could replace the new secret.
 */
import { describe, expect, it } from 'vitest'
import { DATABASES, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { type Household, PIN, useHouseholds } from './household.ts'

const CHANGE_COUNT = 5

describe.each(DATABASES)('parallel changes of a secret on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  useHouseholds(openTestDatabase, (newServer, newHousehold) => {
    server = newServer
    household = newHousehold
  })
  const createSecrets = (prefix: string) =>
    Array.from({ length: CHANGE_COUNT }, (_, index) => `${prefix}${index}`)

  it('of several password changes with the same current password, only one is accepted, and a sign-in succeeds with the new password of that change', async () => {
    const { adult, email } = household
    const newPasswords = createSecrets('Melies190')
    const replies = await Promise.all(
      newPasswords.map((new_password) =>
        adult.put('/api/auth/password', {
          current_password: TEST_PASSWORD,
          new_password,
          sign_out_others: false,
        }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: CHANGE_COUNT - 1 }, () => 403)])
    const acceptedPassword = newPasswords[statuses.indexOf(204)] ?? ''
    expect((await new TestClient(server).login(email, acceptedPassword)).status).toBe(200)
  })

  it('of several PIN changes with the same current PIN, only one is accepted, and the new PIN of that change unlocks the profile', async () => {
    const { adult, mainId, signIn } = household
    const newPins = createSecrets('111')
    const replies = await Promise.all(
      newPins.map((new_pin) =>
        adult.put(`/api/profile/${mainId}/update-lock`, { current_pin: PIN, new_pin }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: CHANGE_COUNT - 1 }, () => 409)])
    const acceptedPin = newPins[statuses.indexOf(200)] ?? ''
    const device = await signIn()
    expect((await device.post(`/api/profile/${mainId}/unlock`, { pin: acceptedPin })).status).toBe(200)
  })
})
