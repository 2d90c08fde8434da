/** Emails in the recipient's language, as plain text and simple HTML. */
import { readFileSync } from 'node:fs'
import type en from '../../../src/i18n/en/mail.json'
import { FALLBACK_LOCALE, getTextDirection, isLocale, LOCALES } from '../../../src/lib/i18n/locales.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import { toErrorFields } from '../../core/log.ts'
import { type EmailMessage, sendEmail } from '../../providers/smtp.ts'
import type { Deps } from '../deps.ts'
import { loadSettingValue } from './settings.ts'

type EmailTexts = Record<keyof typeof en, string>

/** The texts of emails by locale, which translators edit. */
const TEXTS = new Map(LOCALES.map((locale) => [locale, readEmailTexts(locale)]))

function readEmailTexts(locale: string): EmailTexts {
  const file = new URL(`../../../src/i18n/${locale}/mail.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as EmailTexts
}

interface InvitationEmail {
  email: string | undefined
  language: string | undefined
  url: string
  expiresAtMs: number
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
  { email, language, url, expiresAtMs }: InvitationEmail & { email: string; language: string },
): EmailMessage {
  const texts = TEXTS.get(isLocale(language) ? language : FALLBACK_LOCALE)
  const translate = (key: `mail:${keyof EmailTexts}`, values: Record<string, string> = {}) =>
    (texts?.[key.replace(/^mail:/, '') as keyof EmailTexts] ?? key).replace(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => values[name] ?? '',
    )
  const site = config.siteName
  const date = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'long', timeZone: 'UTC' })
  const linesBeforeLink = [translate('mail:hello'), translate('mail:invited', { site })]
  const linesAfterLink = [
    translate('mail:until', { date: date.format(expiresAtMs) }),
    translate('mail:ignore'),
  ]
  const renderParagraph = (text: string) => `<p>${escapeMarkup(text)}</p>`
  return {
    from: config.smtpFrom ?? `"${site.replace(/["\\]/g, '')}" <no-reply@${config.publicUrl.hostname}>`,
    to: email,
    subject: translate('mail:subject', { site }),
    text: `${[...linesBeforeLink, url, ...linesAfterLink].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language}" dir="${getTextDirection(language)}"><body>`,
      ...linesBeforeLink.map(renderParagraph),
      `<p><a href="${escapeMarkup(url)}">${escapeMarkup(translate('mail:accept'))}</a></p>`,
      `<p><bdi>${escapeMarkup(url)}</bdi></p>`,
      ...linesAfterLink.map(renderParagraph),
      '</body></html>',
    ].join('\n'),
  }
}
