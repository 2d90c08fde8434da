/** Emails in the recipient's language, as plain text and simple HTML. */

import ar from '../../../src/i18n/ar/mail.json' with { type: 'json' }
import en from '../../../src/i18n/en/mail.json' with { type: 'json' }
import fr from '../../../src/i18n/fr/mail.json' with { type: 'json' }
import { escapeMarkup } from '../../core/escape-markup.ts'
import { toErrorFields } from '../../core/log.ts'
import { type EmailMessage, sendEmail } from '../../providers/smtp.ts'
import type { Deps } from '../deps.ts'
import { loadSettingValue } from './settings.ts'

const MESSAGES: Record<string, Record<keyof typeof en, string>> = { en, fr, ar }

interface InvitationEmail {
  email: string | undefined
  language: string | undefined
  url: string
  expiresAt: number
}

/** Returns `off` without a recipient or SMTP_URL. Never throws: the invitation is valid whether or not its email is sent. */
export async function sendInvitationEmail(
  deps: Deps,
  invitation: InvitationEmail,
): Promise<'off' | 'sent' | 'failed'> {
  const { smtpUrl } = deps.config
  const { email } = invitation
  if (!smtpUrl || !email) return 'off'
  try {
    const language =
      invitation.language ?? (await loadSettingValue(deps.database.primary, 'default_language'))
    await sendEmail(smtpUrl, buildInvitationEmail(deps, { ...invitation, email, language }))
    return 'sent'
  } catch (error) {
    deps.log.error('sending email failed', toErrorFields(error))
    return 'failed'
  }
}

function buildInvitationEmail(
  { config }: Deps,
  { email, language, url, expiresAt }: InvitationEmail & { email: string; language: string },
): EmailMessage {
  const translate = (key: `mail:${keyof typeof en}`, values: Record<string, string> = {}) =>
    (MESSAGES[language] ?? en)[key.replace(/^mail:/, '') as keyof typeof en].replace(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => values[name] ?? '',
    )
  const site = config.siteName
  const date = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'long', timeZone: 'UTC' })
  const linesBeforeLink = [translate('mail:hello'), translate('mail:invited', { site })]
  const linesAfterLink = [translate('mail:until', { date: date.format(expiresAt) }), translate('mail:ignore')]
  const paragraph = (text: string) => `<p>${escapeMarkup(text)}</p>`
  return {
    from: config.smtpFrom ?? `"${site.replace(/["\\]/g, '')}" <no-reply@${config.publicUrl.hostname}>`,
    to: email,
    subject: translate('mail:subject', { site }),
    text: `${[...linesBeforeLink, url, ...linesAfterLink].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><body>`,
      ...linesBeforeLink.map(paragraph),
      `<p><a href="${escapeMarkup(url)}">${escapeMarkup(translate('mail:accept'))}</a></p>`,
      `<p><bdi>${escapeMarkup(url)}</bdi></p>`,
      ...linesAfterLink.map(paragraph),
      '</body></html>',
    ].join('\n'),
  }
}
