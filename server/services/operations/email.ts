/** Sends emails in the language of the recipient, as plain text and simple HTML. */
import type { ConnectionTestResult } from '../../../src/lib/contract/admin.ts'
import { getTextDirection } from '../../../src/lib/i18n/locales.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import { toErrorFields } from '../../core/log.ts'
import { type EmailError, type EmailMessage, sendEmail } from '../../providers/smtp.ts'
import type { Deps } from '../deps.ts'
import { createTranslate, type MessageKey, toMessageLocale } from './message-texts.ts'

type EmailResult = 'off' | 'sent' | 'failed'

/** An email with one link and a few sentences. */
interface LinkEmail {
  email: string
  language: string
  url: string
  subjectKey: MessageKey
  purposeKey: MessageKey
  /** Key of the link text. */
  actionKey: MessageKey
  validityKey?: MessageKey
  /**
   * True for an email about a change of the account. Such an email omits the sentence that an unexpected message can be
   * ignored, because somebody else may have made the change.
   */
  isAlert?: boolean
  /** Values of the placeholders in addition to `site`. */
  placeholderValues?: Record<string, string>
}

interface InvitationEmail {
  email: string | undefined
  language: string
  url: string
  expiresAtMs: number
}

/**
 * Sends an invitation. Returns `off` without a recipient or SMTP_URL. Never throws, because the invitation is
 * valid even if the email cannot be sent.
 */
export async function sendInvitationEmail(
  deps: Deps,
  { email, language, url, expiresAtMs }: InvitationEmail,
): Promise<EmailResult> {
  if (!email) return 'off'
  const dateFormat = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'long', timeZone: 'UTC' })
  return sendLinkEmail(deps, {
    email,
    language,
    url,
    subjectKey: 'mail:subject',
    purposeKey: 'mail:invited',
    actionKey: 'mail:accept',
    validityKey: 'mail:until',
    placeholderValues: { date: dateFormat.format(expiresAtMs) },
  })
}

/** Sends the link with which the owner of an account sets a new password. Never throws. */
export function sendPasswordResetEmail(
  deps: Deps,
  reset: { email: string; language: string; url: string },
): Promise<EmailResult> {
  return sendLinkEmail(deps, {
    ...reset,
    subjectKey: 'mail:resetSubject',
    purposeKey: 'mail:reset',
    actionKey: 'mail:resetAction',
    validityKey: 'mail:resetUntil',
  })
}

/**
 * Informs the owner of an account that its password was changed with a reset link. With `hasOtherAccess`, the email
 * says that passkeys, identities or calendar addresses still give access to the account. Never throws.
 */
export function sendPasswordChangedAlert(
  deps: Deps,
  { hasOtherAccess, ...change }: { email: string; language: string; url: string; hasOtherAccess: boolean },
): Promise<EmailResult> {
  return sendLinkEmail(deps, {
    ...change,
    subjectKey: 'mail:passwordChangedSubject',
    purposeKey: 'mail:passwordChanged',
    actionKey: 'mail:resetAction',
    ...(hasOtherAccess && { validityKey: 'mail:passwordChangedAccess' }),
    isAlert: true,
  })
}

/** Sends the link with which a new email address of an account is confirmed. Never throws. */
export function sendEmailChangeConfirmation(
  deps: Deps,
  change: { email: string; language: string; url: string },
): Promise<EmailResult> {
  return sendLinkEmail(deps, {
    ...change,
    subjectKey: 'mail:changeSubject',
    purposeKey: 'mail:change',
    actionKey: 'mail:changeAction',
    validityKey: 'mail:changeUntil',
  })
}

/**
 * Informs the old email address of an account about the change to a new address. The email contains the link
 * that cancels the change. Never throws.
 */
export function sendEmailChangedAlert(
  deps: Deps,
  change: { email: string; language: string; url: string },
): Promise<EmailResult> {
  return sendLinkEmail(deps, {
    ...change,
    subjectKey: 'mail:changedSubject',
    purposeKey: 'mail:changed',
    actionKey: 'mail:changedAction',
    validityKey: 'mail:changedUntil',
    isAlert: true,
  })
}

/** Sends a test email, so that an administrator can check the settings. Never throws. */
export async function sendTestEmail(
  deps: Deps,
  recipient: { email: string; language: string },
): Promise<ConnectionTestResult> {
  const { smtpUrl, publicUrl } = deps.config
  if (!smtpUrl) return 'not_configured'
  const linkEmail: LinkEmail = {
    ...recipient,
    url: publicUrl.href,
    subjectKey: 'mail:testSubject',
    purposeKey: 'mail:test',
    actionKey: 'mail:testAction',
  }
  try {
    await sendEmail(smtpUrl, buildLinkEmail(deps, linkEmail))
    return 'ok'
  } catch (error) {
    deps.log.error('sending email failed', toErrorFields(error))
    const { code } = error as EmailError
    if (code === 'EAUTH') return 'unauthorized'
    return code === 'EENVELOPE' || code === 'EMESSAGE' ? 'refused' : 'unreachable'
  }
}

/** Sends an email with a link. Returns `off` without SMTP_URL. Never throws. */
async function sendLinkEmail(deps: Deps, linkEmail: LinkEmail): Promise<EmailResult> {
  const { smtpUrl } = deps.config
  if (!smtpUrl) return 'off'
  try {
    await sendEmail(smtpUrl, buildLinkEmail(deps, linkEmail))
    return 'sent'
  } catch (error) {
    deps.log.error('sending email failed', toErrorFields(error))
    return 'failed'
  }
}

/** Returns the sender address of emails: SMTP_FROM, or a no-reply address of this site. */
export const getSenderAddress = ({ smtpFrom, siteName, publicUrl }: Deps['config']) =>
  smtpFrom ?? `"${siteName.replace(/["\\]/g, '')}" <no-reply@${publicUrl.hostname}>`

function buildLinkEmail({ config }: Deps, linkEmail: LinkEmail): EmailMessage {
  const language = toMessageLocale(linkEmail.language)
  const translate = createTranslate(language, { site: config.siteName, ...linkEmail.placeholderValues })
  const linesBeforeLink = [translate('mail:hello'), translate(linkEmail.purposeKey)]
  const linesAfterLink = [
    ...(linkEmail.validityKey ? [translate(linkEmail.validityKey)] : []),
    ...(linkEmail.isAlert ? [] : [translate('mail:ignore')]),
  ]
  const renderParagraph = (text: string) => `<p>${escapeMarkup(text)}</p>`
  const { url } = linkEmail
  return {
    from: getSenderAddress(config),
    to: linkEmail.email,
    subject: translate(linkEmail.subjectKey),
    text: `${[...linesBeforeLink, url, ...linesAfterLink].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language}" dir="${getTextDirection(language)}"><body>`,
      ...linesBeforeLink.map(renderParagraph),
      `<p><a href="${escapeMarkup(url)}">${escapeMarkup(translate(linkEmail.actionKey))}</a></p>`,
      `<p><bdi>${escapeMarkup(url)}</bdi></p>`,
      ...linesAfterLink.map(renderParagraph),
      '</body></html>',
    ].join('\n'),
  }
}
