/** The message with the first sign-in, which appears when an installation is created. */
import { describe, expect, it } from 'vitest'
import { describeFirstSignIn } from '../../server/welcome.ts'

const CREDENTIALS = { email: 'admin@marquee.local', password: 'ABCD-efgh-1234', pin: '4711' }

describe('the message with the first sign-in', () => {
  it('shows the password and the PIN on a terminal', () => {
    const message = describeFirstSignIn('/data', CREDENTIALS, true).join('\n')
    expect(message).toContain(CREDENTIALS.password)
    expect(message).toContain(CREDENTIALS.pin)
  })

  it('shows only the path of the file on other outputs, because logs are stored', () => {
    const message = describeFirstSignIn('/data', CREDENTIALS, false).join('\n')
    expect(message).toContain('/data/first-sign-in.txt')
    expect(message).not.toContain(CREDENTIALS.password)
    expect(message).not.toContain(CREDENTIALS.pin)
  })
})
