/** Tests which database errors count as temporary. A request that fails with such an error gets 503 instead of 500. */
import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../../server/core/database-unavailable.ts'

const createError = (code: string) => Object.assign(new Error('connect failed'), { code })

it.each(['ECONNREFUSED', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ECONNABORTED', '57P03'])(
  'isDatabaseUnavailable returns true for a connection that failed with %s',
  (code) => {
    expect(isDatabaseUnavailable(createError(code))).toBe(true)
  },
)

it.each(['23505', '42P01', 'ERR_INVALID_ARG_TYPE'])(
  'isDatabaseUnavailable returns false for the error code %s',
  (code) => {
    expect(isDatabaseUnavailable(createError(code))).toBe(false)
  },
)

it.each([
  ['a transaction that lasted too long', '25P04'],
  ['a transaction whose result is unknown', '40003'],
  ['a deadlock', '40P01'],
  ['a missing file of the server', '58P01'],
  ['an error of the system', '58000'],
])('isDatabaseUnavailable returns true for %s', (_name, code) => {
  expect(isDatabaseUnavailable(createError(code))).toBe(true)
})
