/** Sends one email by SMTP. */
import { createTransport } from 'nodemailer'

/** The timeout is short, because the user waits for the result on the page. */
const TIMEOUT_MS = 10_000

export interface EmailMessage {
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** URL with which email programs end a series of emails with one press (RFC 8058). */
  unsubscribeUrl?: string
}

/**
 * Sends an email. `url` is `smtp://user:password@host:587` (STARTTLS if the server offers it) or `smtps://…`.
 * Throws if the server does not accept the email.
 */
export async function sendEmail(url: string, { unsubscribeUrl, ...email }: EmailMessage): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
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
  } finally {
    transport.close()
  }
}
