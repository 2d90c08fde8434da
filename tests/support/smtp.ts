/** An SMTP server inside the test. It stores the emails that it receives. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface TestSmtpServer {
  url: string
  /** Recipient and raw MIME message of each email, in the order of arrival. */
  emails: { to: string; messageSource: string }[]
  close: () => Promise<void>
}

/**
 * Starts the SMTP server. With `rejectsRecipients`, it rejects every recipient with a reply that contains the address.
 */
export async function startSmtpServer({ rejectsRecipients = false } = {}): Promise<TestSmtpServer> {
  const emails: TestSmtpServer['emails'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, callback) =>
      callback(rejectsRecipients ? new Error(`5.1.1 <${address}>: no such user`) : null),
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        emails.push({
          to: envelope.rcptTo[0]?.address ?? '',
          messageSource: Buffer.concat(chunks).toString('latin1'),
        })
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
