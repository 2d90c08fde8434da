/** Letters, in the language of whoever gets them: plain text, and the same as simple HTML. */
import ar from '../../src/i18n/ar/mail.json' with { type: 'json' }
import en from '../../src/i18n/en/mail.json' with { type: 'json' }
import fr from '../../src/i18n/fr/mail.json' with { type: 'json' }
import type { Deps } from '../deps.ts'
import { errorFields } from '../http/log.ts'
import { type Letter, sendLetter } from '../providers/smtp.ts'
import { settingValue } from './settings.ts'

const WORDS: Record<string, Record<keyof typeof en, string>> = { en, fr, ar }

interface Invitation {
  email: string | undefined
  language: string | undefined
  url: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** `off` when there is nobody to write to, or no SMTP_URL. Never throws: an invitation is there with or without its letter. */
export async function mailInvitation(deps: Deps, invitation: Invitation): Promise<'off' | 'sent' | 'failed'> {
  const { smtpUrl } = deps.config
  const { email } = invitation
  if (!smtpUrl || !email) return 'off'
  try {
    const language = invitation.language ?? (await settingValue(deps.database.primary, 'default_language'))
    await sendLetter(smtpUrl, invitationLetter(deps, { ...invitation, email, language }))
    return 'sent'
  } catch (error) {
    deps.log.error('mail failed', errorFields(error))
    return 'failed'
  }
}

function invitationLetter(
  { config }: Deps,
  { email, language, url, expiresAt }: Invitation & { email: string; language: string },
): Letter {
  const say = (key: `mail:${keyof typeof en}`, fill: Record<string, string> = {}) =>
    (WORDS[language] ?? en)[key.replace(/^mail:/, '') as keyof typeof en].replace(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => fill[name] ?? '',
    )
  const site = config.siteName
  const date = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'long', timeZone: 'UTC' })
  const lines = [say('mail:hello'), say('mail:invited', { site })]
  const ends = [say('mail:until', { date: date.format(expiresAt) }), say('mail:ignore')]
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`
  return {
    from: config.smtpFrom ?? `"${site.replace(/["\\]/g, '')}" <no-reply@${config.publicUrl.hostname}>`,
    to: email,
    subject: say('mail:subject', { site }),
    text: `${[...lines, url, ...ends].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><body>`,
      ...lines.map(paragraph),
      `<p><a href="${escaped(url)}">${escaped(say('mail:accept'))}</a></p>`,
      `<p><bdi>${escaped(url)}</bdi></p>`,
      ...ends.map(paragraph),
      '</body></html>',
    ].join('\n'),
  }
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign)
