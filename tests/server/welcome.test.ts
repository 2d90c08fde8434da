/** The message with the first sign-in, which appears when an installation is created. */
import { describe, expect, it } from 'vitest'
import { describeFirstSignIn } from '../../server/welcome.ts'

const CREDENTIALS = { email: 'admin@marquee.local', password: 'ABCD-efgh-1234', pin: '4711' }

describe('the message with the first sign-in', () => {
  it('shows the password and the PIN on a terminal', () => {
    const text = describeFirstSignIn('/data', CREDENTIALS, true).join('\n')
    expect(text).toContain(CREDENTIALS.password)
    expect(text).toContain(CREDENTIALS.pin)
  })

  it('shows only the path of the file on other outputs, because logs are stored', () => {
    const text = describeFirstSignIn('/data', CREDENTIALS, false).join('\n')
    expect(text).toContain('/data/first-sign-in.txt')
    expect(text).not.toContain(CREDENTIALS.password)
    expect(text).not.toContain(CREDENTIALS.pin)
  })
})
