/** Sends one letter by SMTP. */
import { createTransport } from 'nodemailer'

/** The household waits for the answer to its click. */
const TIMEOUT_MS = 10_000

export interface Letter {
  from: string
  to: string
  subject: string
  text: string
  html: string
}

/** `url`: `smtp://user:password@host:587` (STARTTLS where the server offers it) or `smtps://`. Throws when it was not taken. */
export async function sendLetter(url: string, letter: Letter): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail(letter)
  } finally {
    transport.close()
  }
}
