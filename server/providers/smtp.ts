/** Sends one email by SMTP. */
import type { NodemailerError } from 'nodemailer'

/** The timeout is short, because a user may be waiting for the result on the page. */
const SMTP_TIMEOUT_MS = 10_000

export interface EmailMessage {
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** URL to which email programs send a one-click request to unsubscribe (RFC 8058). */
  unsubscribeUrl?: string
}

/** An email could not be sent. `code` is the error code of nodemailer, such as `EAUTH`. */
export class EmailError extends Error {
  readonly code: string | undefined
  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

/** Error codes of nodemailer whose messages contain addresses or the reply of the mail server. */
const ERROR_CODES_WITH_ADDRESSES: ReadonlySet<string | undefined> = new Set(['EENVELOPE', 'EMESSAGE'])

/**
 * Returns the error without the reply of the mail server. A reply often contains the address of the recipient, and
 * errors are logged. Logs are kept longer than accounts.
 */
function toEmailError(error: unknown): EmailError {
  const { code, command, message, response, responseCode } = error as NodemailerError
  if (response === undefined && !ERROR_CODES_WITH_ADDRESSES.has(code)) return new EmailError(message, code)
  const statusCode = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\s/.exec(response ?? '')?.[1]
  const reply = [command, responseCode, statusCode].filter(Boolean).join(' ')
  return new EmailError(`The mail server rejected the email: ${reply} (${code})`, code)
}

/**
 * Sends an email. `url` is `smtp://user:password@host:587` (STARTTLS if the server offers it) or `smtps://…`.
 * @throws EmailError if the server cannot be reached or does not accept the email.
 */
export async function sendEmail(url: string, { unsubscribeUrl, ...email }: EmailMessage): Promise<void> {
  // Loaded by the first email, because many installations send none.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      ...email,
      ...(unsubscribeUrl !== undefined && {
        headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
        list: { unsubscribe: unsubscribeUrl },
      }),
    })
  } catch (error) {
    throw toEmailError(error)
  } finally {
    transport.close()
  }
}
